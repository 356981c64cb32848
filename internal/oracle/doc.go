// Package oracle lets a scanner that is not ours look for secrets in what left
// in a run of the tests of packages outbound and engine. It is a module of its
// own, so that the program does not depend on the scanner.
//
// Run it with: go test -count=1 ./... in this folder.
package oracle
