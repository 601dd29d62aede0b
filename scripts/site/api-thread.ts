import { parentPort, workerData } from 'node:worker_threads';
import { writeApi } from './api.ts';

// The thread of startApi (build.ts).

const { root, folder } = workerData as { readonly root: string; readonly folder: string };
await writeApi(root, folder);
parentPort?.postMessage('written');
