/** Copies a text; resolves to false if the browser refuses or has no clipboard, as on plain HTTP pages. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};
