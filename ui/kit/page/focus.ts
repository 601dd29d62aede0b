import { currentFrame } from './frame.ts';

/**
 * Whether nothing has the focus, because the element that had it is gone or was disabled. Within a shadow root, the
 * document's own active element is the element around it.
 */
export const isFocusLost = (): boolean =>
  currentFrame().root.activeElement?.matches('body, :disabled') ?? true;
