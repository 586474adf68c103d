# SPDX-License-Identifier: Apache-2.0
# A front for CMake: `make help` lists what there is.
.DEFAULT_GOAL := build
.PHONY: help packages build demo test test-fuzz test-asan test-asan-units fuzz bench \
	experiments install package format web clean

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
# Seconds that `make fuzz` spends on each parser.
FUZZ_SECONDS ?= 60

AGON = build/release/bin/agon
EMPTY :=
SPACE := $(EMPTY) $(EMPTY)

# $(call configure_and_build,preset)
define configure_and_build
	@echo "== configuring and building the $(1) preset"
	@if [ -e build/$(1)/CMakeCache.txt ] || ! command -v ninja >/dev/null; \
	then cmake --preset $(1); else cmake --preset $(1) -G Ninja; fi
	@cmake --build --preset $(1) --parallel $(JOBS)
endef

# $(call run_tests,preset)
define run_tests
	@echo "== running the tests of the $(1) preset"
	@ctest --preset $(1) --parallel $(JOBS)
endef

help: ## List the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | \
	sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 19

packages: ## Install the Debian packages that are missing
	@tools/install-packages.sh

build: packages ## Build build/release/bin/agon
	$(call configure_and_build,release)

demo: build ## Build, then compare an example with its specification
	@PATH="$(CURDIR)/build/release/bin:$$PATH" examples/demo.sh

test: build ## Build, then run every test
	$(call run_tests,release)

test-fuzz: packages ## Run the fuzz targets of the parsers for a short time
	$(call configure_and_build,fuzz)
	$(call run_tests,fuzz)

test-asan: packages ## Run the tests under the address and undefined-behaviour sanitizers
	$(call configure_and_build,asan)
	$(call run_tests,asan)

# Everything but the front end, the program and the tests that run it.
UNITS = support horn lts fsp algol game term ir analysis

test-asan-units: packages ## The same for the unit tests of the libraries only
	@echo "== configuring and building the unit tests of the asan preset"
	@if [ -e build/asan/CMakeCache.txt ] || ! command -v ninja >/dev/null; \
	then cmake --preset asan; else cmake --preset asan -G Ninja; fi
	@cmake --build --preset asan --parallel $(JOBS) \
	--target $(UNITS:%=agon_%_test)
	@ctest --preset asan --parallel $(JOBS) \
	--tests-regex '^($(subst $(SPACE),|,$(UNITS)))\.'

fuzz: packages ## Fuzz all parsers for FUZZ_SECONDS each
	$(call configure_and_build,fuzz)
	@for format in aut fsp agon ia certificate; do \
	echo "== fuzzing the reader of $$format for $(FUZZ_SECONDS) seconds"; \
	mkdir -p build/fuzz/corpus-$$format; \
	build/fuzz/bin/fuzz_$$format -max_total_time=$(FUZZ_SECONDS) \
	-timeout=10 -rss_limit_mb=2048 -dict=tests/fuzz/$$format.dict \
	-artifact_prefix=build/fuzz/$$format- build/fuzz/corpus-$$format \
	tests/fuzz/corpus/$$format || exit 1; done

bench: build ## Measure, and print a table; FILTER chooses benchmarks by name
	@echo "== measuring whole runs of agon lts compare"
	@python3 -B bench/table.py --build build/release
	@echo "== measuring the front end for C"
	@python3 -B bench/frontend.py --build build/release
	@echo "== measuring agon reach and agon check"
	@python3 -B bench/conformance.py --build build/release
	@echo "== measuring agon-certify"
	@python3 -B bench/certify.py --build build/release
	@echo "== measuring agon open"
	@python3 -B bench/open.py --build build/release
	@echo "== measuring agon module"
	@python3 -B bench/module.py --build build/release
	@echo "== measuring the algorithms"
	@python3 -B bench/run.py build/release $(FILTER)

experiments: build ## Repeat the papers' experiments; BENCHMARKS is ssh-simplified
	@python3 -B bench/experiments.py --build build/release \
	$(if $(BENCHMARKS),--benchmarks $(BENCHMARKS))
	@echo "== see build/experiments/experiments.md"

install: build ## Install agon under PREFIX
	@cmake --install build/release --prefix $(PREFIX)

package: build ## Make a Debian package in build/package
	@cpack --config build/release/CPackConfig.cmake -B build/package
	@ls build/package/*.deb

format: packages ## Format all C++ sources in place
	@git ls-files '*.h' '*.cpp' | xargs clang-format-19 -i

web: ## Make web/dist/report.html, the page of --html, from web/src
	@cd web && npm ci --no-audit --no-fund --ignore-scripts && node build.mjs

clean: ## Remove everything that was built
	rm -rf build
