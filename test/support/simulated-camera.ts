import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What it sends to each client: images, nothing, or bytes that are no image. */
export type CameraMood = 'images' | 'silence' | 'garbage' | 'bad-images';

export interface SimulatedCamera {
  readonly url: string;
  mood: CameraMood;
  /** The image that it sees. */
  image: Buffer;
  /** How often somebody connected. */
  readonly connections: () => number;
  /** How many are connected now. */
  readonly viewers: () => number;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** A camera with MJPEG over HTTP, as many network cameras have it. */
export async function startCamera(image: Buffer, everyMs = 50): Promise<SimulatedCamera> {
  const viewers = new Set<ServerResponse>();
  let count = 0;
  const server = createServer((_request, response) => {
    count++;
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=frame' });
    viewers.add(response);
    response.on('close', () => viewers.delete(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const frameOf = (bytes: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${bytes.length}\r\n\r\n`),
      bytes,
      Buffer.from('\r\n'),
    ]);
  const camera = { mood: 'images' as CameraMood, image };
  const timer = setInterval(() => {
    const { mood } = camera;
    if (mood === 'silence') return;
    const bytes = mood === 'bad-images' ? camera.image.subarray(0, camera.image.length / 2) : camera.image;
    for (const viewer of viewers) viewer.write(mood === 'garbage' ? Buffer.alloc(20_000, 'x') : frameOf(bytes));
  }, everyMs);
  const cut = (): void => {
    for (const viewer of viewers) viewer.destroy();
  };
  return Object.assign(camera, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/video`,
    connections: () => count,
    viewers: () => viewers.size,
    cut,
    async close() {
      clearInterval(timer);
      cut();
      server.close();
      await once(server, 'close');
    },
  });
}
