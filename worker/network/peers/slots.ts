import type { NetworkConfig } from '../../../src/protocol/network.ts';
import type { Role } from '../protocol/block-announces.ts';
import type { Member, Members } from './members.ts';

type Limits = Required<
  Pick<
    NetworkConfig,
    'inPeers' | 'inPeersLight' | 'outPeers' | 'maxParallelDownloads' | 'maxBlocksPerRequest' | 'reservedOnly'
  >
>;

/** As in the SDK, except for fewer light clients (sc-cli `network_params.rs`). */
const defaults: Limits = {
  inPeers: 32,
  inPeersLight: 100,
  outPeers: 8,
  maxParallelDownloads: 5,
  maxBlocksPerRequest: 64,
  reservedOnly: false,
};

/** Who may be a peer of a node, by how many there are. Reserved peers need no slot. */
export const createSlots = (members: Pick<Members, 'all'>, isReserved: (id: string) => boolean) => {
  let limits = { ...defaults };
  let isOpen = false;
  /** Nodes of the same page or process. */
  let isExcepted: (member: Member) => boolean = () => false;
  const needsSlot = (member: Member): boolean => !isReserved(member.id) && !isExcepted(member);
  const isFull = (role: Role): boolean => {
    const isLight = role === 'light';
    const taken = members
      .all()
      .filter((one) => !one.connection.isDialer && one.role !== null && (one.role === 'light') === isLight);
    return taken.filter(needsSlot).length >= (isLight ? limits.inPeersLight : limits.inPeers);
  };
  return {
    open: (config: NetworkConfig): void => {
      const given = Object.entries(config).filter(([name, value]) => name in defaults && value !== undefined);
      limits = { ...defaults, ...Object.fromEntries(given) };
      isOpen = true;
    },
    close: (): void => {
      isOpen = false;
    },
    except: (isOne: (member: Member) => boolean): void => {
      isExcepted = isOne;
    },
    hasSlot: (member: Member, role: Role): boolean => {
      if (!needsSlot(member)) return true;
      if (!isOpen || limits.reservedOnly) return false;
      // One that is a peer already has its slot.
      return member.connection.isDialer || member.role !== null || !isFull(role);
    },
    outPeers: (): number => (isOpen && !limits.reservedOnly ? limits.outPeers : 0),
    limits: () => ({ maxBlocks: limits.maxBlocksPerRequest, maxParallel: limits.maxParallelDownloads }),
  };
};
