# Needs Go and make; the tools are pinned in go.mod and built by `go tool`.
FUZZTIME  ?= 2m
FUZZFLAGS ?=
# benchstat gives no interval for fewer.
BENCHRUNS ?= 6
# The race detector needs a C compiler; Go turns cgo off where there is none.
RACE      := $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)

# Tests that skip themselves with the race detector on: it sees nothing of programs from npm, and slows what is measured.
UNRACED   := ^Test(Neovim|Eglot|NodeClient|NewClientIsOneFile|CallsOnCorpus|RandomEdits|SeenIsWhatIsThere|Long|FixesEnd|Docs|ScanBodyCorpus|ScanBodyHostile|Bytes|Pages|Shared|EstimateOnCorpus|ManyCalls|NeovimPlugin|NeovimPluginWithOldServer|ProcessTakesLargeInput|Script|HostileTexts|ReferPrecision|SecurityRecall|SecurityCorpus|CacheIsNeverWrong|CorpusPrecision|NpmServers|RealServers|RealClients|RealClientsUseServer|ReplayLive|Conformance)$$

# Of a release; without one the programs say that they are of a development version.
VERSION   ?=

PROGRAMS  := $(patsubst cmd/%/main.go,%,$(wildcard cmd/*/main.go))

.PHONY: run build test check format vet staticcheck arch deadcode cross bench fuzz cover dist share docs nvim vscode vscode-page playground test-playground test-vscode test-release clean

run: ## lint the demo workspace
	go run ./cmd/skilllint lint --fail-on never testdata/demo

build: ## build the programs into bin
	mkdir -p bin
	$(foreach p,$(PROGRAMS),go build -trimpath -o bin/$(p) ./cmd/$(p) &&) true

test: ## all tests, with the race detector, and without it those that measure or run programs from npm
	go test $(RACE) ./...
	go test -run '$(UNRACED)' ./cmd/skilllint ./internal/skills ./internal/tokens/exact ./internal/agentsim ./internal/agentsim/jsonrepair ./internal/agentsim/replay ./internal/agentsim/route ./internal/mcpprobe ./internal/agentsim/capture ./internal/threat ./internal/lint/rules ./internal/lsp

check: format vet staticcheck arch deadcode cross ## everything but the tests

format:
	@files=$$(go tool gofumpt -l .) && test -z "$$files" || { echo "gofumpt -w wants to change: $$files"; exit 1; }

vet:
	go vet ./...

staticcheck:
	go tool staticcheck ./...

arch: # uncached: a new file changes the result without changing what the test itself reads
	go test -count=1 ./internal/arch

deadcode: # functions that neither a program nor a test reaches
	@dead=$$(go tool deadcode -test ./...) && test -z "$$dead" || { echo "$$dead"; exit 1; }

cross: # the other systems compile
	GOOS=windows go vet ./...
	GOOS=darwin go vet ./...
	GOOS=js GOARCH=wasm go vet ./cmd/playground ./internal/playground

bench: build ## speed; compared with bench/old.txt where there is one
	go run ./bench/batch -bin bin/skilllint -runs $(BENCHRUNS) >bin/bench.txt
	go test -run '^$$' -bench . -benchmem -count $(BENCHRUNS) ./bench >>bin/bench.txt
	@if test -f bench/old.txt; then go tool benchstat bench/old.txt bin/bench.txt; else go tool benchstat bin/bench.txt; fi

fuzz: ## each fuzz target for FUZZTIME
	@set -e; for package in $$(go list ./...); do \
	  tests=$$(go test -list '^Fuzz' $$package); \
	  for target in $$(echo "$$tests" | grep '^Fuzz'); do \
	    echo "$$package $$target"; \
	    go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $(FUZZFLAGS) $$package; \
	  done; \
	done

cover: ## statements that tests reach, by function in coverage.out
	go test -coverpkg=./cmd/...,./internal/... -coverprofile=coverage.out ./...
	go tool cover -func=coverage.out | tail -n 1

dist: ## what users install, for every platform: archives, bills of materials, npm packages, a formula, checksums
	go run ./release -o dist $(if $(VERSION),-version $(VERSION))

test-release: ## what users install, built for this machine, unpacked and used
	SKILLLINT_TEST_RELEASE=1 go test -count=1 ./release

share: ## manual pages and completions, from the commands themselves
	go test ./cmd/skilllint -run TestShare -update
	go test ./cmd/skill-ls -run TestManual -update

docs: ## the pages of docs, from the rules, the clients, the schemas and what commands print; and as HTML in dist/docs
	go test ./cmd/skilllint -run TestDocs -update
	go run ./docs/site -o dist/docs

PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
VSCODE := editors/vscode

# Node.js is needed for these three only: what the extension is built from is pinned in its package-lock.json.
$(VSCODE)/node_modules/.package-lock.json: $(VSCODE)/package-lock.json
	cd $(VSCODE) && npm ci
	touch $@

vscode: $(VSCODE)/node_modules/.package-lock.json ## the extension for VS Code, for every platform, with the programs inside
	mkdir -p dist && cp LICENSE NOTICE CHANGELOG.md $(VSCODE)
	cd $(VSCODE) && npm run check && npm run build
	@set -e; for platform in $(PLATFORMS); do \
	  os=$${platform%/*} arch=$${platform#*/}; target=$$(echo $$os-$$arch | sed 's/windows/win32/; s/amd64/x64/'); \
	  rm -rf $(VSCODE)/server && mkdir $(VSCODE)/server; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch go build -trimpath -ldflags='-s -w $(if $(VERSION),-X github.com/skill-ls/skill-ls/internal/version.number=$(VERSION))' -o $(VSCODE)/server $(PROGRAMS:%=./cmd/%); \
	  (cd $(VSCODE) && npx vsce package $(VERSION) --no-git-tag-version --no-update-package-json --no-dependencies --target $$target -o ../../dist/skill-ls_$$target.vsix); \
	done
	SKILLLINT_TEST_VSIX=$(CURDIR)/dist go test -count=1 -run '^TestExtensionPackages$$' ./release

vscode-page: $(VSCODE)/node_modules/.package-lock.json ## the page of the Simulate panel, which skilllint carries
	cd $(VSCODE) && npm run build

# Without inlining the program is a sixth smaller when packed; where most of its time goes it inlines, and is twice as fast for it.
HOT := runtime regexp strings internal/stringslite unicode/utf8

playground: $(VSCODE)/node_modules/.package-lock.json ## the page that runs the linter in a browser, in dist/playground and packed
	rm -rf dist/playground && mkdir -p dist/playground bin
	GOOS=js GOARCH=wasm go build -trimpath -gcflags=all=-l $(HOT:%=-gcflags=%=) -ldflags='-s -w $(if $(VERSION),-X github.com/skill-ls/skill-ls/internal/version.number=$(VERSION))' -o bin/skilllint.wasm ./cmd/playground
	$(VSCODE)/node_modules/.bin/tsc -p playground
	node playground/build.mjs dist/playground
	gzip -9nc bin/skilllint.wasm >dist/playground/skilllint.wasm.gz # not every server packs what it sends
	tar -czf dist/skilllint-playground.tar.gz -C dist playground

test-playground: playground ## the packed page, in Chromium
	node playground/test.mjs dist/skilllint-playground.tar.gz

test-vscode: $(VSCODE)/node_modules/.package-lock.json ## the extension, in a real VS Code; needs Chromium
	mkdir -p $(VSCODE)/server && go build -o $(VSCODE)/server $(PROGRAMS:%=./cmd/%)
	cd $(VSCODE) && npm run check && npm test

nvim: ## the plugin for Neovim, as committed
	mkdir -p dist
	git archive --format=tar.gz --prefix=skill-ls.nvim/ --add-file=LICENSE -o dist/skill-ls.nvim.tar.gz HEAD:editors/nvim

clean:
	rm -rf bin dist coverage.out $(VSCODE)/dist $(VSCODE)/out $(VSCODE)/server playground/out
