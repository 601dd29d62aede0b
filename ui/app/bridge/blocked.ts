import { deniedText, findObstacle, type Obstacle, promptText } from '../../node/local-network.ts';

const texts: Readonly<Record<Obstacle, string>> = {
  browser:
    'This browser does not let an https page connect to this computer, so run “tabnode bridge” without --page and open the address that it prints.',
  denied: deniedText,
  prompt: `${promptText}, and make sure that “tabnode bridge” is running.`,
};

/** Why a browser may block a page from reaching a bridge, and what to do; null if no obstacle is known. */
export const blockedReason = async (): Promise<string | null> => {
  const obstacle = await findObstacle();
  return obstacle === null ? null : texts[obstacle];
};
