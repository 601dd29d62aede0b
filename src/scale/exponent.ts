/** The longest number that is written out: no integer of a runtime has more digits. */
const most = 100;

/** Writes out a number with an exponent: `1.5e3` is `1500`, and `1e-3` is `0.001`. Other texts are unchanged. */
export const writeOut = (text: string): string => {
  const [, sign = '', integer = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?e([+-]?\d{1,3})$/i.exec(text) ?? [];
  const places = Number(power);
  if (integer === '' || Math.abs(places) > most) return text;
  const digits = `${integer}${fraction}`;
  const point = integer.length + places;
  const whole =
    digits
      .slice(0, Math.max(0, point))
      .padEnd(point, '0')
      .replace(/^0+(?=\d)/, '') || '0';
  const rest = (point < 0 ? '0'.repeat(-point) + digits : digits.slice(point)).replace(/0+$/, '');
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`;
};
