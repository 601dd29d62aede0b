import { NodeError } from '../../../src/protocol/errors.ts';
import { writeJson } from '../../../src/protocol/json.ts';
import { faultText, shortHex } from '../../kit/text/format.ts';
import { pickForPages, readNodeAddresses } from '../../node/network/node-addresses.ts';
import type { ChainNetwork, ChainPayload } from '../../node/session/chain-entry.ts';
import { readChainFile } from './read-chain-file.ts';

type Field = 'spec' | 'addresses' | 'keys' | 'form';

/** A specification that was given, and what of it the form shows. */
type Spec = { readonly specJson: string; readonly name: string; readonly bootNodes: readonly string[] };

/** A chain that joins a network, as it is created. */
export type Joining = {
  /** Empty: that of the specification. */
  readonly name: string;
  readonly payload: ChainPayload & { readonly keys: readonly string[] };
  readonly network: ChainNetwork;
};

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const readSpec = (name: string, specJson: string): Spec => {
  const { bootNodes } = JSON.parse(specJson) as { readonly bootNodes?: unknown };
  return { specJson, name, bootNodes: isTexts(bootNodes) ? bootNodes : [] };
};

/** The form of a chain that joins a network: what was given, what is wrong with it, and the start. */
export class JoinStart {
  /** Of a file, or of a node that was asked; null while the pasted text is used. */
  given = $state.raw<(Spec & { readonly from: string; readonly isOfNode?: true }) | null>(null);
  pasted = $state('');
  #typed = $state<string | null>(null);
  /** Secret URIs, one in each line. */
  keys = $state('');
  tabs = $state(true);
  fault = $state.raw<{ readonly field: Field; readonly text: string } | null>(null);
  busy = $state(false);
  /** Of a node whose chain it must be. */
  readonly #genesisHash: string | null;
  readonly #create: (joining: Joining) => Promise<void>;

  constructor(create: (joining: Joining) => Promise<void>, genesisHash: string | null = null) {
    this.#create = create;
    this.#genesisHash = genesisHash;
  }

  /** One in each line; those of the specification until others are typed. */
  get addresses(): string {
    return this.#typed ?? this.given?.bootNodes.join('\n') ?? '';
  }

  set addresses(text: string) {
    this.#typed = text;
  }

  get name(): string {
    return this.given?.name ?? '';
  }

  /** Whether the nodes are those that a node elsewhere has named. */
  get isOfRemote(): boolean {
    return this.#genesisHash !== null;
  }

  #fail(field: Field, error: unknown): null {
    this.fault = { field, text: faultText(error) };
    return null;
  }

  /** Takes a specification from a file. */
  async take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    this.fault = null;
    const spec = await this.#classify(file);
    if (spec !== null) this.given = { ...spec, from: file.name };
  }

  /** Takes what a node has said. */
  takeSpec(spec: object, from: string): void {
    const { name } = spec as { readonly name?: unknown };
    this.given = {
      ...readSpec(typeof name === 'string' ? name : 'Chain', writeJson(spec)),
      from,
      isOfNode: true,
    };
  }

  async #classify(file: File): Promise<Spec | null> {
    const read = await readChainFile(file);
    if (read.kind === 'spec') return readSpec(read.name, read.specJson);
    return this.#fail(
      'spec',
      new Error(read.kind === 'unknown' ? read.why : `${file.name} is not a chain specification.`),
    );
  }

  async #readSpec(): Promise<Spec | null> {
    if (this.given !== null) return this.given;
    if (this.pasted.trim() === '')
      return this.#fail(
        'spec',
        new Error('Choose the file of the chain’s specification, or paste its text.'),
      );
    return this.#classify(new File([this.pasted], 'The text'));
  }

  #readAddresses(bootNodes: readonly string[]): readonly string[] | null {
    try {
      const text = this.#typed ?? bootNodes.join('\n');
      const picked = pickForPages(readNodeAddresses(text));
      if (picked.length > 0 || this.tabs) return picked;
      throw new NodeError('BadConfig', 'Enter the address of a node, or connect with other tabs.');
    } catch (error) {
      return this.#fail('addresses', error);
    }
  }

  async #checkGenesis({ specJson }: Spec): Promise<boolean> {
    if (this.#genesisHash === null || this.given?.isOfNode) return true;
    const { genesisOf } = await import('./check-genesis.ts');
    const genesis = await genesisOf(specJson);
    if (genesis === this.#genesisHash) return true;
    const text = `This is the specification of another chain: its genesis block is ${shortHex(genesis)}, and that of the node is ${shortHex(this.#genesisHash)}.`;
    this.#fail('spec', new NodeError('BadSpec', text));
    return false;
  }

  /** Resolves to whether the chain was created. If not, `fault` says why. */
  async run(name: string): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.fault = null;
    try {
      const spec = await this.#readSpec();
      const bootNodes = spec && this.#readAddresses(spec.bootNodes);
      if (spec === null || bootNodes === null || !(await this.#checkGenesis(spec))) return false;
      const keys = this.keys.split('\n').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
      const payload = { specJson: spec.specJson, keys };
      const network = { isOn: true, bootNodes, tabs: this.tabs };
      await this.#create({ name: name.trim() || spec.name, payload, network });
      return true;
    } catch (error) {
      if (error instanceof NodeError && error.code === 'BadKey')
        this.#fail('keys', new Error(`A key is not a secret URI such as //Bob: ${error.message}.`));
      else this.#fail('form', error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
