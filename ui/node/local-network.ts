/** Permissions that browsers require before a page may connect to programs on the same machine. */
const names = ['loopback-network', 'local-network-access'];

const readPermission = async (): Promise<PermissionState | null> => {
  for (const name of names) {
    const found = await navigator.permissions?.query({ name: name as PermissionName }).catch(() => null);
    if (found) return found.state;
  }
  return null;
};

export type Circumstances = Pick<Location, 'protocol' | 'hostname'> & {
  readonly userAgent: string;
  /** Null if the browser has no such permission. */
  readonly permission: PermissionState | null;
};

/** What keeps a page from programs on its computer: the browser as such, a permission that was denied, or one to be given. */
export type Obstacle = 'browser' | 'denied' | 'prompt';

/** Null if no obstacle is known. */
export const obstacleFor = ({
  protocol,
  hostname,
  userAgent,
  permission,
}: Circumstances): Obstacle | null => {
  // WebKit blocks unencrypted connections from https, even if the page is served from this computer.
  const isWebKit = /^((?!chrome|android|crios|fxios).)*safari/i.test(userAgent);
  if (isWebKit && protocol === 'https:') return 'browser';
  // Other browsers do not restrict pages that are served from this computer.
  if (/^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname)) return null;
  return permission === 'denied' || permission === 'prompt' ? permission : null;
};

export const findObstacle = async (): Promise<Obstacle | null> => {
  const { protocol, hostname } = location;
  const { userAgent } = navigator;
  return obstacleFor({ protocol, hostname, userAgent, permission: await readPermission() });
};

export const deniedText =
  'The browser blocks connections from this page to this computer. Allow “apps on device” (or “local network”) in the site settings, next to the address, and reload the page.';

/** What to click while the connection waits for the answer. */
export const promptText = 'Click “Allow” if the browser asks about apps and services on this device';
