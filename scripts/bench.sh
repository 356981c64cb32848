#!/usr/bin/env bash
# Builds recap and measures it beside baselines in the same run. Extra words go to internal/bench.
# Then the prompt and what stands around a model call, beside the bare client and a copy of the text:
# the least of many calls is held to the limit, the median is shown. Ends with 1 where a limit does not
# hold.
set -euo pipefail
cd "$(dirname "$0")/.."
go build -trimpath -o bin/recap ./cmd/recap
bad=0
go run ./internal/bench -recap bin/recap "$@" || bad=1
go test -run '^$' -bench . ./outbound ./redact ./evidence
built=$(go test -run '^$' -bench . -count 3 ./prompt)
echo "$built"
echo "$built" | awk '
	/^BenchmarkBuild6000ASCII\/build/ { limit["6,000 ASCII characters"] = 1e6; if (!ascii || $3 < ascii) ascii = $3; least["6,000 ASCII characters"] = ascii }
	/^BenchmarkBuild72000Chinese\/build/ { limit["72,000 Chinese characters"] = 15e6; if (!chinese || $3 < chinese) chinese = $3; least["72,000 Chinese characters"] = chinese }
	END {
		for (what in limit) {
			seen++
			word = "ok"
			if (least[what] + 0 > limit[what]) { word = "TOO MUCH"; bad = 1 }
			printf "%-62s %9.2f ms  limit %9.2f  %s\n", "the prompt of " what, least[what] / 1e6, limit[what] / 1e6, word
		}
		if (seen != 2) { print "the benchmarks of package prompt gave " seen + 0 " figures, not 2"; bad = 1 }
		exit bad
	}' || bad=1
go test -run '^$' -bench Plan ./engine
asked=$(go test -run '^$' -bench Ask -benchtime 1000x ./engine)
echo "$asked"
echo "$asked" | awk '
	/^BenchmarkAsk/ {
		seen++
		for (i = 3; i < NF; i += 2) of[$(i + 1)] = $i
		word = "ok"
		if (of["least-overhead-ms"] + 0 > of["limit-ms"] + 0) { word = "TOO MUCH"; bad = 1 }
		what = sprintf("around a call that answers at once, %d characters (median %.2f)", of["characters"], of["overhead-ms"])
		printf "%-62s %9.2f ms  limit %9.2f  %s\n", what, of["least-overhead-ms"], of["limit-ms"], word
	}
	END { if (seen != 2) { print "BenchmarkAsk gave " seen + 0 " figures, not 2"; bad = 1 } exit bad }' || bad=1
exit $bad
