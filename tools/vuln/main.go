// Command vuln reads govulncheck's JSON on standard input and judges it: a
// vulnerability that our code reaches in a module fails the check; one in the
// standard library is of the Go that is installed, so it is named with the
// version that mends it and does not fail the check.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

type message struct {
	OSV *struct {
		ID, Summary string
	}
	Finding *struct {
		OSV          string
		FixedVersion string `json:"fixed_version"`
		Trace        []struct{ Module, Function string }
	}
	Config *struct {
		GoVersion string `json:"go_version"`
	}
}

func main() {
	if err := judge(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "vuln:", err)
		os.Exit(1)
	}
}

func judge(in io.Reader, out io.Writer) error {
	summary := map[string]string{}
	var modules, std []string
	version := ""
	seen := false
	for dec := json.NewDecoder(in); ; {
		var m message
		err := dec.Decode(&m)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if m.Config != nil {
			seen, version = true, m.Config.GoVersion
		}
		if m.OSV != nil {
			summary[m.OSV.ID] = m.OSV.Summary
		}
		f := m.Finding
		if f == nil || len(f.Trace) == 0 || f.Trace[0].Function == "" {
			continue // required or imported, not called
		}
		line := fmt.Sprintf("%s in %s, mended in %s", f.OSV, f.Trace[0].Module, f.FixedVersion)
		if f.Trace[0].Module == "stdlib" {
			std = append(std, line)
		} else {
			modules = append(modules, line)
		}
	}
	if !seen {
		return errors.New("govulncheck said nothing")
	}
	show := func(lines []string) int {
		slices.Sort(lines)
		lines = slices.Compact(lines)
		for _, l := range lines {
			id := l[:min(len(l), len("GO-2026-0000"))]
			fmt.Fprintf(out, "  %s: %s\n", l, summary[id])
		}
		return len(lines)
	}
	if len(std) > 0 {
		fmt.Fprintf(out, "vuln: the Go that is installed (%s) has known vulnerabilities that recap reaches; build releases with a newer one:\n", version)
		show(std)
	}
	if len(modules) > 0 {
		fmt.Fprintln(out, "vuln: modules with known vulnerabilities that recap reaches:")
		return fmt.Errorf("%d vulnerabilities in modules", show(modules))
	}
	fmt.Fprintln(out, "vuln: no vulnerability in a module is reached")
	return nil
}
