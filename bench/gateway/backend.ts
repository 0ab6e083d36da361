import { createServer } from "node:net";

/** Answers whatever comes with 100 bytes, one answer a head. For machines without nginx. */
const ANSWER = `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\n${"x".repeat(100)}`;
const server = createServer({ noDelay: true }, (socket) => {
  socket.on("error", () => {});
  socket.on("data", (bytes: Buffer) => {
    let heads = 0;
    for (let at = bytes.indexOf("\r\n\r\n"); at !== -1; at = bytes.indexOf("\r\n\r\n", at + 4)) heads++;
    if (heads > 0) socket.write(ANSWER.repeat(heads), "latin1");
  });
});
server.listen(Number(process.argv[2]), "127.0.0.1");
