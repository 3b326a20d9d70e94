# Serves the memory over HTTP: REST and MCP. Data is stored in the volume /data.
#   docker build -t cairn . && docker run -p 7433:7433 -e CAIRN_TOKEN=secret -v cairn:/data cairn
FROM node:22-bookworm AS build
WORKDIR /src
COPY . .
RUN npm ci && npx tsx scripts/pack-runtimes.ts --current && npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
LABEL org.opencontainers.image.title="cairn memory" \
      org.opencontainers.image.description="Long-term memory for coding agents: facts, decisions and conflicts in one SQLite file." \
      org.opencontainers.image.version="0.2.0" \
      org.opencontainers.image.licenses="MIT" \
      io.modelcontextprotocol.server.name="io.github.cairn-memory/cairn"
WORKDIR /opt/cairn
COPY --from=build /src/package.json ./
COPY --from=build /src/node_modules ./node_modules
COPY --from=build /src/drizzle ./drizzle
COPY --from=build /src/models ./models
COPY --from=build /src/bin ./bin
COPY --from=build /src/dist ./dist
RUN mkdir /data && chown node:node /data && ln -s /opt/cairn/bin/cairn.js /usr/local/bin/cairn
USER node
ENV CAIRN_DATA_DIR=/data
VOLUME /data
EXPOSE 7433
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:7433/health/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "/opt/cairn/bin/cairn.js"]
# Any other address than the loopback needs a token: set CAIRN_TOKEN.
CMD ["serve", "--host", "0.0.0.0", "--port", "7433"]
