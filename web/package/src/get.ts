/** Fetches one of the engine's files. A network that wants a login answers with a page of its own instead, and status 200. */
export async function get(url: string | URL): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  if (response.headers.get("Content-Type")?.startsWith("text/html")) throw new Error(`${url}: a web page came instead; the network may want a login`);
  return response;
}

export const bytesOf = async (url: string | URL): Promise<Uint8Array> => new Uint8Array(await (await get(url)).arrayBuffer());
