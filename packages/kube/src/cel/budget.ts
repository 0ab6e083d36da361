/** Thrown when an expression has used up its budget. Unlike CelError it cannot be absorbed by a logical operator. */
export class CostExceeded extends Error {
  override readonly name = "CostExceeded";
  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/** What one evaluation may cost. `spent` is what it did cost, also when it failed. */
export class CostBudget {
  readonly limit: number;
  spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  spend(cost: number): void {
    this.spent += cost;
    if (this.spent > this.limit) throw new CostExceeded();
  }
}
