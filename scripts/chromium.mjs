import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const fixedPlaces = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

const isProgram = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const ownOfPlaywright = async () => {
  try {
    const { chromium } = await import('playwright');
    return [chromium.executablePath()];
  } catch {
    return []; // not installed yet
  }
};

/**
 * Path of a Chromium: the one named in TABNODE_CHROMIUM, an installed one, else Playwright's own; null if
 * there is none.
 */
export const findChromium = async () => {
  const named = process.env.TABNODE_CHROMIUM;
  if (named) return isProgram(named) ? named : null;
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, ...fixedPlaces, ...(await ownOfPlaywright())].find(isProgram) ?? null;
};

/**
 * Options to start Chromium in Vitest and Playwright. Root cannot use its sandbox, and containers run tests
 * as root.
 */
export const launchOptions = async () => {
  const executablePath = await findChromium();
  const isRoot = typeof process.getuid === 'function' && process.getuid() === 0;
  return { ...(executablePath ? { executablePath } : {}), args: isRoot ? ['--no-sandbox'] : [] };
};

/** What Playwright turns off itself. Chromium only uses the last list, so these are repeated here. */
const offByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/**
 * Two hidden pages of the address bar, and a process in reserve, that Chromium starts for each window. They take almost as
 * long as the page that a test opens.
 */
export const idleFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];

/** Like `launchOptions`, for tests that each open a window: without what Chromium loads only for people. */
export const testOptions = async () => {
  const { args, ...options } = await launchOptions();
  const off = [...offByPlaywright, ...idleFeatures].join(',');
  return { ...options, args: [...args, `--disable-features=${off}`] };
};
