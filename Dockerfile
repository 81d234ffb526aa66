# An image of the program and the libraries that it loads, and nothing else: no shell, no packages.
# Configuration, certificates and public files are mounted, as docker-compose.yml shows. Swift's
# libraries are in the program; OpenSSL, libyaml and zlib are Debian's.

FROM swift:6.3-bookworm AS build

# Not pinned: what the image's Debian release has is what the final stage's Debian release has.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libssl-dev libyaml-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /src

# The dependencies are a layer of their own, kept until the manifest changes.
COPY Package.swift Package.resolve[d] ./
RUN swift package resolve

# SwiftPM wants to see the directory of every target, those of tests included.
COPY Sources Sources
COPY Tests Tests
# The commit that `waymark --version` prints: --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT=
# As `bootstrap build` does it. Besides, relative relocations are packed: they are 1.1 MB otherwise.
# glibc reads them from 2.36 on, which is this Debian's.
RUN mkdir -p .build/static \
    && ln -sf "$(clang -print-file-name=libstdc++.a)" .build/static/ \
    && WAYMARK_COMMIT=$COMMIT swift build -c release --product waymark --static-swift-stdlib -Xswiftc -use-ld=lld \
        -Xswiftc -L/src/.build/static -Xlinker --no-export-dynamic \
        -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -s \
    && install -D --mode=755 .build/release/waymark /out/waymark

FROM debian:12-slim AS libraries

# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        ca-certificates libssl3 libyaml-0-2 zlib1g \
    && rm -rf /var/lib/apt/lists/*

COPY --from=build /out/waymark /usr/bin/waymark

# Each library at the place where the loader found it here, and the authorities that signed files lead to.
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN install -d --mode=1777 /image/tmp \
    && mkdir -p /image/etc/waymark \
    && ldd /usr/bin/waymark | grep -o '/[^ ]*' \
        | xargs cp --parents --dereference --target-directory=/image \
    && cp --parents --dereference --target-directory=/image \
        /usr/bin/waymark /etc/ssl/certs/ca-certificates.crt \
    && echo 'waymark:x:65532:65532::/:' > /image/etc/passwd \
    && echo 'waymark:x:65532:' > /image/etc/group

FROM scratch

COPY --from=libraries /image /
ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt

# Relative paths of the configuration start here.
WORKDIR /etc/waymark
USER 65532:65532

# https, http, and the admin listener, which the command below keeps inside the container.
EXPOSE 8443 8080 9090

STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
    CMD ["/usr/bin/waymark", "healthcheck"]

ENTRYPOINT ["/usr/bin/waymark"]
CMD ["serve", "--config", "waymark.yaml", "--env", "prod", "--https", ":8443", "--http", ":8080", \
    "--admin", "127.0.0.1:9090"]
