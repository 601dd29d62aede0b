/** `DigestItem::RuntimeEnvironmentUpdated`, which frame_system adds to a block that changes the code. */
export const upgradeLog = '0x08';
