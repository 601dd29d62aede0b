const stepPx = 24;
const leapPx = 120;

type Limits = { readonly least: number; readonly most: () => number };

/** The height of a pane at the bottom of the page, whose upper edge is dragged or moved with the arrow keys. */
export class PaneHeight {
  #limits: Limits;
  #changed: () => void;
  #px = $state(0);
  /** Whether the last press has moved, so that its end is no click. */
  #isDragged = false;

  /** `changed` is called when the user has resized the pane. */
  constructor(limits: Limits, px: number, changed: () => void) {
    this.#limits = limits;
    this.#changed = changed;
    this.#px = this.#within(px);
  }

  get px(): number {
    return this.#px;
  }

  get least(): number {
    return this.#limits.least;
  }

  get most(): number {
    return Math.max(this.least, Math.round(this.#limits.most()));
  }

  get isDragged(): boolean {
    return this.#isDragged;
  }

  #within(px: number): number {
    return Math.min(this.most, Math.max(this.least, Math.round(px)));
  }

  resize(px: number): void {
    this.#px = this.#within(px);
    this.#changed();
  }

  readonly key = (event: KeyboardEvent): void => {
    const by = { ArrowUp: stepPx, ArrowDown: -stepPx, PageUp: leapPx, PageDown: -leapPx }[event.key];
    if (by !== undefined) this.resize(this.#px + by);
    else if (event.key === 'Home') this.resize(this.most);
    else if (event.key === 'End') this.resize(this.least);
    else return;
    event.preventDefault();
  };

  readonly grab = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const { currentTarget: bar, pointerId, clientY } = event;
    const from = this.#px;
    this.#isDragged = false;
    bar.setPointerCapture(pointerId);
    bar.onpointermove = (moved) => {
      this.#isDragged ||= Math.abs(clientY - moved.clientY) > 3;
      if (this.#isDragged) this.resize(from + clientY - moved.clientY);
    };
    bar.onpointerup = () => {
      bar.onpointermove = null;
    };
  };
}
