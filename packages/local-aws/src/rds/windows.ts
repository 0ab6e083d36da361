import type { Random } from "@gatewright/ports";
import { invalidCombination, invalidValue } from "./refusals.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/** A Monday, midnight UTC. */
const EPOCH_MONDAY = Date.UTC(1970, 0, 5);
const SHORTEST_MINUTES = 30;

/** A stretch of minutes, counted from Monday midnight or from midnight. */
interface Window {
  readonly start: number;
  readonly length: number;
}

/** Refuses windows that RDS refuses: too short, not well-formed, or on top of each other. */
export function checkWindows(maintenance: string, backup: string): void {
  const weekly = weeklyWindow(maintenance);
  const daily = dailyWindow(backup);
  const offset = (((daily.start - weekly.start) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  if (offset < weekly.length || offset + daily.length > DAY_MINUTES) {
    throw invalidCombination("The backup window and maintenance window must not overlap.");
  }
}

/** When the maintenance window opens next, after now. */
export function nextMaintenance(window: string, now: number): number {
  const { start } = weeklyWindow(window);
  const first = EPOCH_MONDAY + start * MINUTE_MS;
  const week = WEEK_MINUTES * MINUTE_MS;
  return first + Math.ceil((now - first) / week) * week;
}

/** When the backup window opened, from one moment to another. */
export function backupsBetween(window: string, from: number, to: number): readonly number[] {
  const day = DAY_MINUTES * MINUTE_MS;
  const first = dailyWindow(window).start * MINUTE_MS;
  const next = first + Math.ceil((from - first) / day) * day;
  return Array.from({ length: Math.max(0, Math.floor((to - next) / day) + 1) }, (_, i) => next + i * day);
}

/** Windows of half an hour each for who asked for none; they never overlap. */
export function usualWindows(random: Random): { readonly maintenance: string; readonly backup: string } {
  const [day = 0, hour = 0, minute = 0] = random.bytes(3);
  const name = DAYS[day % 7];
  const at = (hours: number, minutes: number): string =>
    `${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
  // Within one hour: half past at the latest, so that no window ends in the next.
  const from = minute % 30;
  const span = (hours: number, before: string): string =>
    `${before}${at(hours, from)}-${before}${at(hours, from + 30)}`;
  return { maintenance: span(8 + (hour % 4), `${name}:`), backup: span(3 + (hour % 4), "") };
}

function weeklyWindow(text: string): Window {
  const match = /^([a-z]{3}):(\d\d):(\d\d)-([a-z]{3}):(\d\d):(\d\d)$/i.exec(text);
  const [, fromDay = "", fromHour = "", fromMinute = "", toDay = "", toHour = "", toMinute = ""] = match ?? [];
  const minutesOf = (day: string, hour: string, minute: string): number =>
    DAYS.indexOf(day.toLowerCase()) * DAY_MINUTES + Number(hour) * 60 + Number(minute);
  const start = minutesOf(fromDay, fromHour, fromMinute);
  const end = minutesOf(toDay, toHour, toMinute);
  const known = DAYS.includes(fromDay.toLowerCase()) && DAYS.includes(toDay.toLowerCase());
  if (!match || !known || !isTime(fromHour, fromMinute) || !isTime(toHour, toMinute)) {
    throw invalidValue(
      `Invalid maintenance window format: ${text}. Should be specified as a range ddd:hh24:mi-ddd:hh24:mi (24H Clock UTC).`,
    );
  }
  const length = (end - start + WEEK_MINUTES) % WEEK_MINUTES;
  if (length < SHORTEST_MINUTES || length >= DAY_MINUTES) {
    throw invalidValue(`The maintenance window must be between 30 minutes and 24 hours: ${text}`);
  }
  return { start, length };
}

function dailyWindow(text: string): Window {
  const match = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(text);
  const [, fromHour = "", fromMinute = "", toHour = "", toMinute = ""] = match ?? [];
  if (!match || !isTime(fromHour, fromMinute) || !isTime(toHour, toMinute)) {
    throw invalidValue(
      `Invalid backup window format: ${text}. Should be specified as a range hh24:mi-hh24:mi (24H Clock UTC).`,
    );
  }
  const start = Number(fromHour) * 60 + Number(fromMinute);
  const length = (Number(toHour) * 60 + Number(toMinute) - start + DAY_MINUTES) % DAY_MINUTES;
  if (length < SHORTEST_MINUTES) throw invalidValue(`The backup window must be at least 30 minutes: ${text}`);
  return { start, length };
}

function isTime(hour: string, minute: string): boolean {
  return Number(hour) < 24 && Number(minute) < 60;
}
