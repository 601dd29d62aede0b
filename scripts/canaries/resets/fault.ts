// The planted fault: a save that fails leaves `isSaving` set, and nothing is ever saved again.
let isSaving = false;

export const save = async (write: () => Promise<void>): Promise<void> => {
  if (isSaving) return;
  isSaving = true;
  await write();
  isSaving = false;
};
