import { Writer } from '../../worker/bytes/writer.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createPool } from '../../worker/pool/pool.ts';
import type { ValidateResult } from '../../worker/pool/transaction.ts';
import type { Bench, Line } from '../figure.ts';
import { medians, type Spent, timed } from '../measure.ts';

const held = 8192;
const senders = 64;
const rounds = 9;
const picked = 200;

/** Extrinsics as long as a transfer, distinguished by sender and nonce. */
const extrinsics = Array.from({ length: held }, (_, index) =>
  new Writer(140)
    .u32(index % senders)
    .u32(Math.floor(index / senders))
    .raw(new Uint8Array(132))
    .finish(),
);

/** Validates a transfer as a runtime would, but without one: the tags chain each sender's nonces. */
const validate = async (extrinsic: Uint8Array): Promise<ValidateResult> => {
  const nonce = new DataView(extrinsic.buffer).getUint32(4, true);
  const before = extrinsic.slice(0, 8);
  new DataView(before.buffer).setUint32(4, nonce - 1, true);
  return {
    kind: 'valid',
    priority: BigInt((nonce * 7 + (extrinsic[0] ?? 0) * 13) % 101),
    requires: nonce === 0 ? [] : [before],
    provides: [extrinsic.slice(0, 8)],
    longevity: 64n,
    propagate: true,
  };
};

/** Microseconds each. */
const per = ({ ms, cpuMs }: Spent, count: number): Spent => ({
  ms: (ms * 1000) / count,
  cpuMs: (cpuMs * 1000) / count,
});

export const pool: Bench = {
  name: 'pool',
  about: `${held} ready transactions: putting in, picking in order`,
  run: async () => {
    const crypto = await loadCrypto();
    const inserts: Spent[] = [];
    const picks: Spent[] = [];
    const wholes: Spent[] = [];
    for (let round = 0; round < rounds; round++) {
      const one = createPool({
        validate,
        hash: crypto.blake2b256,
        now: () => 0,
        bestNumber: () => 1,
      });
      const alone = await timed(async () => {
        for (const extrinsic of extrinsics) await validate(extrinsic);
      });
      const whole = await timed(async () => {
        for (const extrinsic of extrinsics) await one.submit(extrinsic, 2);
      });
      if (one.readyCount() !== held) throw new Error(`${one.readyCount()} ready`);
      inserts.push(per({ ms: whole.ms - alone.ms, cpuMs: whole.cpuMs - alone.cpuMs }, held));
      const first = await timed(() => {
        const iteration = one.ready();
        for (let i = 0; i < picked; i++) iteration.next();
      });
      picks.push(per(first, picked));
      const all = await timed(() => [...one.ready()].length);
      wholes.push(per(all, held));
      one.close();
    }
    const line = (name: string, values: readonly Spent[], budget: number | null, note: string): Line => {
      const { ms, cpuMs } = medians(values.slice(2));
      return { name, value: ms, cpu: cpuMs, unit: 'µs', budget, note };
    };
    return [
      line('pool: one more transaction, beyond validation', inserts, 20, `mean on the way to ${held} ready`),
      line(`pool: one of the first ${picked} picked of ${held}`, picks, null, 'as a block takes them'),
      line(`pool: one of all ${held} picked`, wholes, null, 'the same price: nothing is scanned'),
    ];
  },
};
