import { median } from "./load.ts";

/** What one of many things costs: how many a second by the clock, and the server's processor time for each. */
export interface Figure {
  readonly perSecond: number;
  /** Microseconds of the server's processor time for one of them. */
  readonly microseconds: number;
}

export function print(name: string, figure: string): void {
  console.log(`${name.padEnd(62)} ${figure}`);
}

export function shown({ perSecond, microseconds }: Figure): string {
  return `${perSecond.toFixed(perSecond < 100 ? 1 : 0)}/s, ${microseconds.toFixed(0)} us`;
}

export function medianFigure(figures: readonly Figure[]): Figure {
  return {
    perSecond: median(figures.map(({ perSecond }) => perSecond)),
    microseconds: median(figures.map(({ microseconds }) => microseconds)),
  };
}
