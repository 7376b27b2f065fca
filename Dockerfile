# An image of one static binary:
#
#     docker build --tag overtrick .
#     docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/work" overtrick run mine.toml
#
# The image has no other programs, so it plays the built-in bots. For external bots, replace `scratch` with an image
# that has their interpreter, and allow user namespaces (docs/external-bots.md, "Containers without namespaces").

# The host target of this image is musl, whose programs are static.
FROM rust:1.95-alpine AS build
# build.rs asks git for the commit that `overtrick --version` names.
RUN apk add --no-cache git musl-dev
WORKDIR /overtrick
COPY . .
RUN cargo build --locked --profile dist --bin overtrick
# The image has no shell to make folders with.
RUN install -D target/dist/overtrick /image/overtrick && install -d -m 1777 /image/tmp /image/work

FROM scratch
COPY --from=build /image /
WORKDIR /work
ENTRYPOINT ["/overtrick"]
CMD ["--help"]
