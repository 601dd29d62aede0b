import { NodeError } from '../../src/protocol/errors.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { Writer } from '../bytes/writer.ts';
import { type Core, checkLength, coreOutputSize } from './core.ts';
import type { Random } from './sr25519.ts';

/** A merlin transcript: its label, then messages in order. A u64 is a message of 8 bytes, little-endian. */
export type VrfTranscript = {
  readonly label: string;
  readonly items: readonly (readonly [label: string, value: Uint8Array])[];
};

/** The verifiable random function of sr25519 as used by BABE. Secrets as in `Sr25519`. */
export type Vrf = {
  /** The pre-output is determined by key and transcript; the proof is randomized. Throws `BadKey`. */
  sr25519VrfSign(secret: Uint8Array, transcript: VrfTranscript): { preOutput: Uint8Array; proof: Uint8Array };
  sr25519VrfVerify(
    publicKey: Uint8Array,
    transcript: VrfTranscript,
    preOutput: Uint8Array,
    proof: Uint8Array,
  ): boolean;
  /**
   * `length` bytes (at most 1024) derived from a pre-output: score and randomness. The key is the public one,
   * or its secret. This proves nothing by itself, so verify first. Throws `BadKey` if key or pre-output is
   * malformed.
   */
  sr25519VrfMakeBytes(
    key: Uint8Array,
    transcript: VrfTranscript,
    preOutput: Uint8Array,
    context: Uint8Array,
    length: number,
  ): Uint8Array;
};

const encodeTranscript = (transcript: VrfTranscript): Uint8Array => {
  const writer = new Writer(160);
  const bytes = (value: Uint8Array): Writer => writer.u32(value.length).raw(value);
  bytes(textToBytes(transcript.label)).u32(transcript.items.length);
  for (const [label, value] of transcript.items) {
    bytes(textToBytes(label));
    bytes(value);
  }
  return writer.finish();
};

export const createVrf = (deps: { readonly core: Core; readonly random: Random }): Vrf => {
  const { core, random } = deps;
  const publicKeyOf = (secret: Uint8Array): Uint8Array => {
    const length = core.put(secret);
    const done = core.calls.sr25519_public();
    core.wipe(length);
    if (done === 0) throw new NodeError('BadKey', 'the secret is not one of sr25519');
    return core.read(32);
  };
  return {
    sr25519VrfSign(secret, transcript) {
      checkLength('secret', secret, 64);
      const length = core.put(secret, random(32), encodeTranscript(transcript));
      const done = core.calls.sr25519_vrf_sign(length);
      core.wipe(96);
      if (done === 0) throw new NodeError('BadKey', 'the secret is not one of sr25519');
      const answer = core.read(96);
      return { preOutput: answer.slice(0, 32), proof: answer.slice(32) };
    },
    sr25519VrfVerify(publicKey, transcript, preOutput, proof) {
      checkLength('publicKey', publicKey, 32);
      checkLength('preOutput', preOutput, 32);
      checkLength('proof', proof, 64);
      return (
        core.calls.sr25519_vrf_verify(core.put(publicKey, preOutput, proof, encodeTranscript(transcript))) ===
        1
      );
    },
    sr25519VrfMakeBytes(key, transcript, preOutput, context, length) {
      if (key.length !== 64) checkLength('key', key, 32);
      checkLength('preOutput', preOutput, 32);
      if (!Number.isInteger(length) || length < 0 || length > coreOutputSize) {
        throw new RangeError(`length must be a whole number up to ${coreOutputSize}`);
      }
      const publicKey = key.length === 64 ? publicKeyOf(key) : key;
      const contextBytes = new Writer(context.length + 4).u32(context.length).raw(context).finish();
      const total = core.put(publicKey, preOutput, contextBytes, encodeTranscript(transcript));
      if (core.calls.sr25519_vrf_make_bytes(total, length) === 0) {
        throw new NodeError('BadKey', 'key or pre-output is not a point of the group');
      }
      return core.read(length);
    },
  };
};
