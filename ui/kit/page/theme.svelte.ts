import { createSubscriber } from 'svelte/reactivity';
import { currentFrame } from './frame.ts';

/** Light, dark, or the system's setting. */
export type Theme = 'system' | 'light' | 'dark';

const key = 'tabnode.theme';
const changed = 'tabnode:theme';

export const themes: readonly Theme[] = ['system', 'light', 'dark'];

const readTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system';

/** Applies the theme to the page. Every color is a `light-dark()` value of tokens.css. */
export const applyTheme = (theme: Theme = readTheme()): void => {
  currentFrame().host.style.colorScheme = theme === 'system' ? 'light dark' : theme;
};

/** Applies and stores the theme; `system` removes the stored choice. */
export const chooseTheme = (theme: Theme): void => {
  if (theme === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, theme);
  applyTheme(theme);
  dispatchEvent(new Event(changed));
};

/** The current theme, no matter whether this window or another one chose it. */
export class ThemeView {
  #watch = createSubscriber((update) => {
    const apply = (): void => {
      applyTheme();
      update();
    };
    applyTheme();
    addEventListener(changed, apply);
    addEventListener('storage', apply);
    return () => {
      removeEventListener(changed, apply);
      removeEventListener('storage', apply);
    };
  });

  get theme(): Theme {
    this.#watch();
    return readTheme();
  }
}
