import { deniedText, type Obstacle, promptText } from '../local-network.ts';

/** Hosts on this computer or in its network, as in the reasons of a node. */
const nearby =
  /^\w+:\/\/(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|localhost\b|\[::1\]|\[f[cd]|\[fe80)/;

const texts: Readonly<Record<Obstacle, string>> = {
  browser:
    'This browser does not let an https page connect to this computer, so open the page by http or another browser.',
  denied: deniedText,
  prompt: `${promptText}. The node dials again by itself.`,
};

/** Why nodes could not be reached, and what to do, if the browser keeps the page from them; null otherwise. */
export const obstacleText = (
  unreachable: Readonly<Record<string, string>>,
  obstacle: Obstacle | null,
): string | null =>
  obstacle !== null && Object.values(unreachable).some((why) => nearby.test(why)) ? texts[obstacle] : null;
