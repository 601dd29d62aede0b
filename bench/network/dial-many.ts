// Dials a node so many times at once, from a process of its own, and prints how many of the handshakes were completed.
//   node bench/network/dial-many.ts URL COUNT
import { dialEndpoint } from './endpoint.ts';

const [url = '', count = '0'] = process.argv.slice(2);
const dials = Array.from({ length: Number(count) }, (_, index) => dialEndpoint(url, 1000 + index));
const settled = await Promise.allSettled(dials);
process.stdout.write(`${settled.filter(({ status }) => status === 'fulfilled').length}\n`);
process.exit();
