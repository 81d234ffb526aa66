# An image of the program and the libraries that it loads, and nothing else: no shell, no packages.
# Configuration, certificates and public files are mounted, as docker-compose.yml shows.
#
# The target `postgresql` adds libpq, for nodes that share a database: docker build --target postgresql
#
# `./bootstrap package` makes the same images without Docker: it reads the stage `settings` below.

FROM swift:6.3-bookworm AS build
WORKDIR /src
COPY . .
RUN ./bootstrap package

FROM scratch AS settings
LABEL org.opencontainers.image.title=Waymark \
    org.opencontainers.image.description="HTTPS origin for universal links and app links"
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

FROM settings AS postgresql
COPY --from=build /src/.build/package/image-postgresql /

FROM settings
COPY --from=build /src/.build/package/image /
