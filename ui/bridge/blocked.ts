/** Permissions that browsers require before a page may connect to programs on the same machine. */
const names = ['loopback-network', 'local-network-access'];

const permission = async (): Promise<PermissionState | null> => {
  for (const name of names) {
    const found = await navigator.permissions?.query({ name: name as PermissionName }).catch(() => null);
    if (found) return found.state;
  }
  return null;
};

/**
 * Why the browser may block this page from reaching a bridge, and what to do; null if no obstacle is known.
 */
export const blockedReason = async (): Promise<string | null> => {
  // Browsers do not restrict pages that are served from this computer.
  if (/^(127\.0\.0\.1|localhost|\[::1\])$/.test(location.hostname)) return null;
  const state = await permission();
  if (state === 'denied')
    return 'The browser does not let this page connect to this computer. Allow “local network” (or “apps on device”) in the site settings, next to the address, and reload the page.';
  if (state === 'prompt')
    return 'The browser asks whether this page may connect to apps on this computer: allow it.';
  const isSafari = /^((?!chrome|android|crios|fxios).)*safari/i.test(navigator.userAgent);
  if (isSafari && location.protocol === 'https:')
    return 'Safari does not let an https page connect to this computer. Run “tabnode bridge” without --page and open the address that it prints.';
  return null;
};
