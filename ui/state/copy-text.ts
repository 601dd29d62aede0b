/** Copies a text; false where the browser refuses, or has no clipboard: it has none for a page that came over plain HTTP. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};
