/** What crates/crypto exports; sizes are in bytes. */
type CoreExports = {
  readonly memory: WebAssembly.Memory;
  input_ptr(): number;
  output_ptr(): number;
  blake2b(length: number, size: number): void;
  twox(length: number, lanes: number): void;
  keccak256(length: number): void;
  keccak512(length: number): void;
  sha2_256(length: number): void;
  ed25519_verify(messageLength: number): number;
  ed25519_sign(messageLength: number): void;
  ed25519_public(): void;
  ecdsa_recover(compressed: number, strict: number): number;
  ecdsa_sign(): number;
  ecdsa_public(): number;
  phrase_seed(entropyLength: number, saltLength: number): void;
  sr25519_secret(): void;
  sr25519_derive(soft: number): number;
  sr25519_public(): number;
  sr25519_sign(messageLength: number): number;
  sr25519_verify(messageLength: number): number;
  sr25519_verify_legacy(messageLength: number): number;
  sr25519_vrf_sign(length: number): number;
  sr25519_vrf_verify(length: number): number;
  sr25519_vrf_make_bytes(length: number, size: number): number;
  patch_code(length: number): number;
  check_code(length: number): number;
  read_section(id: number, length: number): number;
  unzstd(length: number, limit: number): number;
};

/**
 * An instance of the crypto core: `put` the arguments, call one of `calls`, `read` the result before the next
 * `put`.
 */
export type Core = {
  readonly calls: CoreExports;
  /** Copies the arguments in, consecutively, and returns their total length. */
  put(...parts: readonly Uint8Array[]): number;
  /** `put` for a single argument, for the hot hash functions. */
  putOne(bytes: Uint8Array): void;
  /** A copy of the first `length` bytes of the result. */
  read(length: number): Uint8Array;
  /** Overwrites the first `length` argument bytes, if they held a secret. */
  wipe(length: number): void;
  /** `read` that also erases the result; for secrets. */
  readSecret(length: number): Uint8Array;
};

/** Maximum result size in bytes (`OUTPUT_SIZE` in crates/crypto/src/memory.rs). */
export const coreOutputSize = 1024;

const pageSize = 65_536;

/** Instantiates the core and owns its memory; the module imports nothing. */
export const createCore = (wasm: WebAssembly.Module): Core => {
  const calls = new WebAssembly.Instance(wasm).exports as unknown as CoreExports;
  const memory = calls.memory;
  const input = calls.input_ptr();
  const output = calls.output_ptr();
  let bytes = new Uint8Array(memory.buffer);
  // Growing detaches the old buffer; the VRF grows the memory from inside.
  const refresh = (): void => {
    if (bytes.length === 0) bytes = new Uint8Array(memory.buffer);
  };
  const reserve = (length: number): void => {
    refresh();
    const missing = input + length - bytes.length;
    if (missing <= 0) return;
    memory.grow(Math.ceil(missing / pageSize));
    refresh();
  };
  return {
    calls,
    put(...parts) {
      let length = 0;
      for (const part of parts) length += part.length;
      reserve(length);
      let offset = input;
      for (const part of parts) {
        bytes.set(part, offset);
        offset += part.length;
      }
      return length;
    },
    putOne(part) {
      if (input + part.length > bytes.length) reserve(part.length);
      bytes.set(part, input);
    },
    read(length) {
      refresh();
      return bytes.slice(output, output + length);
    },
    wipe(length) {
      refresh();
      bytes.fill(0, input, input + length);
    },
    readSecret(length) {
      refresh();
      const answer = bytes.slice(output, output + length);
      bytes.fill(0, output, output + length);
      return answer;
    },
  };
};

/**
 * One instance after another, for work that needs much memory, because memory never shrinks. `keeps`: the
 * next one may use the same instance.
 */
export const createSpareCore = (wasm: WebAssembly.Module): ((isKept: boolean) => Core) => {
  let kept: Core | null = null;
  return (isKept) => {
    const core = kept ?? createCore(wasm);
    kept = isKept ? core : null;
    return core;
  };
};

/** Throws a RangeError naming the argument if its length does not match its type. */
export const checkLength = (name: string, bytes: Uint8Array, length: number): void => {
  if (bytes.length !== length)
    throw new RangeError(`${name} must have ${length} bytes, it has ${bytes.length}`);
};
