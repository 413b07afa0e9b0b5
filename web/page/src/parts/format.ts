import { words } from '../words/en';

/// Avoids Intl.NumberFormat, whose first construction takes longer than drawing the page.
function format(value: number, digits: number): string {
  const [whole = '', decimals] = value.toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, words.thousands);
  return decimals === undefined ? grouped : grouped + words.decimalPoint + decimals;
}

/// Formats a probability in percent. Values close to 0 and 1 become "<0.1 %" and ">99.9 %", so that they do not look impossible or certain.
export function percent(chance: number, digits = 1): string {
  const value = 100 * chance;
  const least = 10 ** -digits;
  if (value > 0 && value < least / 2) return `<${format(least, digits)} %`;
  if (value < 100 && value > 100 - least / 2 && chance < 1 - 1e-12) return `>${format(100 - least, digits)} %`;
  return `${format(value, digits)} %`;
}

export const figure = (value: number, digits = 2): string => format(value, digits);
export const signed = (value: number, digits = 2): string => {
  const text = format(Math.abs(value), digits);
  return Number(text.replace(/[^\d.]/g, '')) === 0 ? `±${text}` : `${value < 0 ? '−' : '+'}${text}`;
};
export const signedPercent = (value: number): string => `${signed(100 * value, 1)} pp`;
/// Half of a 95 % interval.
export const around = (standardError: number | undefined, scale = 1, digits = 2): string =>
  standardError ? ` ± ${format(1.96 * standardError * scale, digits)}` : '';
