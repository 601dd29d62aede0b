import { readFileSync } from 'node:fs';

/** Milliseconds of one tick of the kernel's counters of processor time: USER_HZ is 100 on every Linux. */
const tickMs = 10;

/** The fields of `/proc/PID/stat` after the name of the process, which may hold spaces. */
const statOf = (pid: number | 'self'): readonly string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

const sum = (fields: readonly string[], first: number): number =>
  (Number(fields[first]) + Number(fields[first + 1])) * tickMs;

/** Processor time of a process so far, user and system, in ms; its resolution is 10 ms. */
export const cpuOf = (pid: number): number => sum(statOf(pid), 11);

/** The same of all processes that this one has started and that have ended. */
export const cpuOfEnded = (): number => sum(statOf('self'), 13);

/** Memory of a process that is resident, in MB (10⁶ bytes). */
export const residentOf = (pid: number): number => {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kib === undefined) throw new Error(`process ${pid} has ended`);
  return (Number(kib) * 1024) / 1_000_000;
};
