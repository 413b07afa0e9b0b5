// A connection as slow as a phone's, between a browser and a server of this machine. Everything that the browser fetches shares it: the
// page, its worker and its service worker. (DevTools emulates a connection for each of them, so that theirs would come beside the page's.)
import { connect, createServer } from 'node:net';

/// How often the connection passes bytes on.
const TICK_MS = 5;
const PACKET = 1460;

/// Opens a port whose requests reach the port `to` of this machine `latency` milliseconds late, and whose answers share `rate` bytes per
/// second in turn. `carried()`: the bytes that have come back.
export async function slowLink(to, { latency, rate }) {
  const queues = new Set();
  let carried = 0;
  let spare = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const time = performance.now();
    const idle = [...queues].every((queue) => queue.chunks.length === 0);
    // A connection does not save up what it did not carry.
    spare = idle ? 0 : spare + ((time - last) * rate) / 1000;
    last = time;
    while (spare >= PACKET) {
      const queue = [...queues].find(({ chunks }) => chunks.length > 0);
      if (!queue) break;
      const { chunks, client } = queue;
      const part = chunks[0].subarray(0, PACKET);
      if (part.length === chunks[0].length) chunks.shift();
      else chunks[0] = chunks[0].subarray(PACKET);
      spare -= part.length;
      carried += part.length;
      client.write(part);
      // The others come next.
      queues.delete(queue);
      queues.add(queue);
    }
  }, TICK_MS);
  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1');
    const queue = { chunks: [], client };
    queues.add(queue);
    const end = () => {
      queues.delete(queue);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.setNoDelay(true).on('error', end).on('close', end);
    client.on('data', (bytes) => setTimeout(() => upstream.write(bytes), latency));
    upstream.on('data', (bytes) => queue.chunks.push(bytes));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: server.address().port,
    carried: () => carried,
    close: () => {
      clearInterval(timer);
      server.close();
    },
  };
}
