# syntax=docker/dockerfile:1
# Built with `docker build .`; docs/releasing.md tells the rest. Pin both bases by digest in a release, with the same version of Node.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
ARG BASE_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot

# Puts the command together. Nothing of this stage is in the image but what scripts/image.ts has put into build/image/app.
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-fund --no-audit \
 && node scripts/image.ts

FROM ${BASE_IMAGE}
# One layer: the command, its threads, the libraries that they load, and the SBOM of these (sbom.cdx.json).
COPY --from=build --chown=0:0 --chmod=0555 /src/build/image/app /app
USER 65532:65532
WORKDIR /app
ENV NODE_ENV=production
ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=32", "/app/main.cjs"]
CMD ["operator"]
LABEL org.opencontainers.image.title="gatewright" org.opencontainers.image.licenses="Apache-2.0"
