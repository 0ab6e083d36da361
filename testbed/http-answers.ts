import { request } from "node:http";

/** The status of a GET over plain HTTP. Rejects when nobody answers. */
export function httpStatus(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject).end();
  });
}
