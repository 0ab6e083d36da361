// The floor of any server on Node: answers every request with as many bytes as it is told, from memory. Plain JavaScript, as
// the entry of the command is.
const { createServer } = require("node:http");

const body = Buffer.alloc(Number(process.argv[2]), "x");
const server = createServer((request, response) => {
  request.resume();
  response.setHeader("content-type", "application/json");
  response.setHeader("content-length", body.length);
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") console.log(`http://127.0.0.1:${address?.port}`);
});
