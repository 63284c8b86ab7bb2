# `make train` and `make test` set up everything they need; see `make help`.

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# make test PKG=./data/... ARGS="-v -run 'A|B'" runs less and reports more; SHORT=1 leaves out
# the tests that take seconds, and go vet, which is part of make lint. It also leaves out most
# packages of a single method or encoder, and four small ones: each links and starts libtorch, which
# takes three seconds. model/methods and gnn/encoders test what all methods and encoders share.
PKG  ?= $(if $(filter 1,$(SHORT)),$(QUICK),./...)
QUICK = $(shell go list ./... | grep -vE '/(model|gnn)/(shared/)?[a-z]+$$|/(measured|scores|atencalls|runconfig)$$') \
	./model/methods ./model/pacia ./model/kernel ./gnn/encoders
ARGS ?=
SHORT ?=
export ARGS

# Which libtorch: cu117 (2.0.1 for CUDA 11.7) or cu130 (2.11.0 for CUDA 13.0).
LIBTORCH ?= cu117
export LIBTORCH
# 1: link CUDA, and compile what needs it; build-gpu sets it.
PACIA_CUDA ?=
export PACIA_CUDA

# What make bench takes its episodes from: a file of MoleculeNet, or the embedded data set.
DATA ?= $(wildcard $(or $(PACIA_SHARED),../shared)/data/moleculenet/tox21.csv.gz)

# Where FS-Mol is, for make model.
FSMOL ?=

RELEASE := $(shell sed -n 's/^const Release = "\(.*\)"/\1/p' internal/version/version.go)
COMMIT  := $(shell git describe --always --dirty 2>/dev/null)
LINT    := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.2

# Go with the flags for libtorch. The commit is passed by -X; Go's own stamp is
# off, because it fails in a checkout that belongs to another user.
GO   := scripts/env.sh go
# A test binary is linked each time: by gold in two thirds of the time. Without -E gold would
# hide our OpenMP from libtorch, which would then bring its own (TestOneOpenMP).
EXTLD = -fuse-ld=gold -Wl,-E
GOLD  = $(if $(shell command -v ld.gold),-ldflags="-s \"-extldflags=$(EXTLD)\"")
LINK  = -buildvcs=false -ldflags "-w -X pacia/internal/version.commit=$(COMMIT) $$PACIA_LDFLAGS"
TAGS  = $(if $(filter 1,$(PACIA_CUDA)),-tags cuda)
READER = go build -buildvcs=false -ldflags -w -o bin/ ./cmd/pacia-rdkit
# Says why nothing happens for a while, where Go's cache does not hold gotch yet.
NOTE := $(GO) list -f '{{if .Stale}}compiling gotch, which takes two minutes, once{{end}}' github.com/sugarme/gotch/libtch

.PHONY: help setup kernels build build-gpu man train train-gpu model test lint bench bench-go bundle wheel docker \
	check-bare check-bundle check-wheel check-docker check-cuda-calls check-gpu-bench check-memory check-threads check-hard gpu-first-hour check-slurm findings fuzz clean distclean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo; echo "LIBTORCH=cu130 takes libtorch 2.11 for CUDA 13.0 instead of 2.0 for CUDA 11.7."

setup: ## install RDKit and lay libtorch out in .deps/
	@scripts/setup

kernels: export PACIA_KERNELS := 1
kernels: ## set up, with NVIDIA's compilers of kernels (0.1 GB), for which no GPU is needed
	@scripts/setup

build: setup ## build bin/pacia, and bin/pacia-rdkit, which reads molecules for it
	@$(NOTE)
	@scripts/env.sh $(SHELL) -c 'go build $(TAGS) -o bin/pacia$(if $(TAGS),-gpu) $(LINK) ./cmd/pacia && $(READER)'

build-gpu: export PACIA_CUDA := 1
build-gpu: ## build bin/pacia-gpu; fetches CUDA's libraries (cu117: 1.6 GB, cu130: 2.0 GB)
	@$(MAKE) --no-print-directory build

man: build ## write the manual pages into bin/man, for man -M bin/man pacia
	@bin/pacia man bin/man

train: build ## train with config.yaml into runs/
	bin/pacia train --config config.yaml $(ARGS)

train-gpu: build-gpu ## train with config.yaml on a GPU
	bin/pacia-gpu train --config config.yaml --set device=cuda $(ARGS)

model: build ## train the model that ships, weights/fsmol.safetensors; fetches FS-Mol unless it is in FSMOL
	@scripts/model $(or $(FSMOL),fsmol) $(ARGS)

# Packages at a time: one more than cores, since tests of pages and of processes wait.
TESTS = $(shell expr $$(nproc) + 1)

# A tensor that gotch makes has 100 kB of Go's heap, and Go would collect after every forty.
test: export GOGC := 400
test: export GODEBUG := memprofilerate=0
test: kernels ## run all tests; SHORT=1 runs those that are quick
	@$(NOTE)
	@export PACIA_PYTHON="$${PACIA_PYTHON:-$$(scripts/python)}"; mapfile -t args < <(xargs -rn1 <<<"$$ARGS"); scripts/env.sh $(SHELL) -c \
		'$(READER) && go test -p $(TESTS) -timeout 20m $(if $(filter 1,$(SHORT)),-short -vet=off) $(if $(TAGS),$(TAGS) $(LINK),$(GOLD)) "$$@"' test "$${args[@]}" $(PKG)

lint: setup ## check the sources' style
	@$(GO) run $(LINT) run $(PKG)

bench: export DATA := $(DATA)
bench: build ## compare with eager PyTorch; fetches 1.6 GB of CUDA's libraries
	@bench/run $(ARGS)

bench-go: setup ## run the Go benchmarks
	@$(GO) test -run '^$$' -bench . -benchmem $(ARGS) $(PKG)

bundle: export PACIA_CUDA := 1
bundle: export PACIA_ANYWAY := 1
bundle: ## pack bin/pacia-gpu to run where libtorch is, without Go and RDKit; PACIA_CUDA=0 packs bin/pacia with all it needs; EXTRA=files go with it
	@$(MAKE) --no-print-directory build
	@scripts/bundle $(RELEASE) $(EXTRA)

wheel: ## make a Python wheel with all that ranking needs; PACIA_TORCH=installed makes one that uses the user's torch
	@$(MAKE) --no-print-directory bundle PACIA_CUDA=$(if $(filter installed,$(PACIA_TORCH)),1,0)
	@scripts/wheel.py bin/pacia-$(RELEASE)-$(if $(filter installed,$(PACIA_TORCH)),$(LIBTORCH),cpu).tar.gz $(RELEASE) bin

docker: ## build an image for a host with a GPU; PACIA_CUDA=0 for one without
	docker build --tag pacia --build-arg COMMIT=$(COMMIT) --build-arg LIBTORCH=$(LIBTORCH) \
		$(if $(filter 0,$(PACIA_CUDA)),--build-arg PACIA_CUDA=0 --build-arg DEVICE=cpu) .

check-bare: ## try README's commands in a fresh Debian 12 (as root)
	@scripts/check-bare

check-bundle: bundle ## try the bundle in a fresh Debian 12 (as root)
	@scripts/check-bundle bin/pacia-$(RELEASE)-$(if $(filter 0,$(PACIA_CUDA)),cpu,$(LIBTORCH)).tar.gz

check-wheel: ## try the wheel in fresh Debians 12 and 13 (as root)
	@$(MAKE) --no-print-directory wheel PACIA_TORCH=
	@scripts/check-wheel bin/pacia-$(RELEASE)-py3-none-*.whl bookworm
	@scripts/check-wheel bin/pacia-$(RELEASE)-py3-none-*.whl trixie

check-docker: ## try the Dockerfile's steps in fresh Debians (as root); PACIA_CUDA=0 leaves CUDA out
	@scripts/check-docker

check-memory: kernels ## run the kernels' tests with a guard page at each tensor's end, and NaN in fresh memory
	@scripts/check-memory

check-threads: setup ## look for races between threads of the host, by Go's race detector and by ThreadSanitizer
	@scripts/check-threads

check-cuda-calls: export PACIA_CUDA := 1
check-cuda-calls: export PACIA_ANYWAY := 1
check-cuda-calls: setup ## run the GPU's tests on a stand-in for NVIDIA's libraries that checks each call; fetches CUDA's libraries (1.6 GB)
	@scripts/check-cuda-calls

check-gpu-bench: ## try bench/gpu.sh without a GPU; fetches CUDA's libraries and PyTorch (1.6 GB)
	@scripts/check-gpu-bench

gpu-first-hour: ## check everything on a machine with a GPU, and write OUT (first-hour.json); DRY=1 the same on the CPU
	@scripts/gpu-first-hour $(if $(filter 1,$(DRY)),--dry-run) "$(or $(OUT),first-hour.json)"

check-hard: build ## kill it, let its calls fail, change its files, and see that nothing is lost; HARD=short
	@scripts/check-hard $(ARGS)

findings: ## run findings/: what outside libraries do that nobody guesses
	@for f in findings/*.sh; do echo "$$f"; $$f || exit 1; done

# How long each reader is given nonsense.
TIME ?= 60s

fuzz: setup ## give all readers nonsense, each for TIME (60s)
	@scripts/fuzz $(TIME)

check-slurm: build ## try pacia sweep and predict --shards as job arrays of a real Slurm, if there is one (as root)
	@scripts/check-slurm
	@scripts/check-slurm-shards

clean: ## remove bin/
	rm -rf bin

distclean: clean ## also remove all that was fetched
	rm -rf .deps
