/** Permissions that browsers require before a page may connect to programs on the same machine. */
const names = ['loopback-network', 'local-network-access'];

const readPermission = async (): Promise<PermissionState | null> => {
  for (const name of names) {
    const found = await navigator.permissions?.query({ name: name as PermissionName }).catch(() => null);
    if (found) return found.state;
  }
  return null;
};

type Circumstances = Pick<Location, 'protocol' | 'hostname'> & {
  readonly userAgent: string;
  /** Null if the browser has no such permission. */
  readonly permission: PermissionState | null;
};

/** Why a browser may block a page from reaching a bridge, and what to do; null if no obstacle is known. */
export const reasonFor = ({ protocol, hostname, userAgent, permission }: Circumstances): string | null => {
  // WebKit blocks unencrypted connections from https, even if the page is served from this computer.
  const isWebKit = /^((?!chrome|android|crios|fxios).)*safari/i.test(userAgent);
  if (isWebKit && protocol === 'https:')
    return 'This browser does not let an https page connect to this computer, so run “tabnode bridge” without --page and open the address that it prints.';
  // Other browsers do not restrict pages that are served from this computer.
  if (/^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname)) return null;
  if (permission === 'denied')
    return 'The browser blocks connections from this page to this computer. Allow “apps on device” (or “local network”) in the site settings, next to the address, and reload the page.';
  // The connection waits for the answer.
  if (permission === 'prompt')
    return 'Click “Allow” if the browser asks about apps and services on this device, and make sure that “tabnode bridge” is running.';
  return null;
};

export const blockedReason = async (): Promise<string | null> => {
  const { protocol, hostname } = location;
  return reasonFor({
    protocol,
    hostname,
    userAgent: navigator.userAgent,
    permission: await readPermission(),
  });
};
