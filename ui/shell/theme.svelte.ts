import { createSubscriber } from 'svelte/reactivity';
import { currentFrame } from '../state/frame.ts';

/** Light, dark, or as the system says. */
export type Theme = 'system' | 'light' | 'dark';

const key = 'tabnode.theme';
const changed = 'tabnode:theme';

export const themes: readonly Theme[] = ['system', 'light', 'dark'];

const readTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system';

/** Paints the page; every colour is a `light-dark()` of tokens.css. */
export const applyTheme = (theme: Theme = readTheme()): void => {
  currentFrame().host.style.colorScheme = theme === 'system' ? '' : theme;
};

/** Keeps the choice only when it differs from the system's. */
export const chooseTheme = (theme: Theme): void => {
  if (theme === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  applyTheme(theme);
  dispatchEvent(new Event(changed));
};

/** The theme as it is now, whoever chose it: this page or another window of it. */
export class ThemeView {
  #watch = createSubscriber((update) => {
    const heard = (): void => {
      applyTheme();
      update();
    };
    applyTheme();
    addEventListener(changed, heard);
    addEventListener('storage', heard);
    return () => {
      removeEventListener(changed, heard);
      removeEventListener('storage', heard);
    };
  });

  get theme(): Theme {
    this.#watch();
    return readTheme();
  }
}
