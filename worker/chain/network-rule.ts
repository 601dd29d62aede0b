import { NodeError } from '../../src/protocol/errors.ts';

/** Whether the node takes part in a network, where it does nothing that other nodes could not follow. */
export type NetworkRule = {
  isOn(): boolean;
  set(isOn: boolean): void;
  /** Throws `InNetwork` while the node takes part in a network. `what` is a sentence without its end. */
  refuse(what: string): void;
};

export const createNetworkRule = (): NetworkRule => {
  let isOn = false;
  return {
    isOn: () => isOn,
    set: (next) => {
      isOn = next;
    },
    refuse: (what) => {
      if (isOn)
        throw new NodeError(
          'InNetwork',
          `${what}: other nodes of the network could not follow. Leave the network first`,
        );
    },
  };
};
