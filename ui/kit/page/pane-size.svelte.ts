const stepPx = 24;
const leapPx = 120;

type Limits = {
  readonly min: number;
  readonly max: () => number;
  /** The side of the page where the pane is. */
  readonly side?: 'bottom' | 'right';
};

/** The height or width of a pane at a side of the page, whose edge is dragged or moved with the arrow keys. */
export class PaneSize {
  #limits: Limits;
  #changed: () => void;
  px = $state(0);
  /** Whether the last press has moved, so that its end is no click. */
  isDragged = false;

  /** `changed` is called when the user has resized the pane. */
  constructor(limits: Limits, px: number, changed: () => void) {
    this.#limits = limits;
    this.#changed = changed;
    this.px = this.#within(px);
  }

  get side(): 'bottom' | 'right' {
    return this.#limits.side ?? 'bottom';
  }

  get min(): number {
    return this.#limits.min;
  }

  get max(): number {
    return Math.max(this.min, Math.round(this.#limits.max()));
  }

  #within(px: number): number {
    return Math.min(this.max, Math.max(this.min, Math.round(px)));
  }

  resize(px: number): void {
    this.px = this.#within(px);
    this.#changed();
  }

  readonly key = (event: KeyboardEvent): void => {
    const by = {
      ArrowUp: stepPx,
      ArrowLeft: stepPx,
      ArrowDown: -stepPx,
      ArrowRight: -stepPx,
      PageUp: leapPx,
      PageDown: -leapPx,
    }[event.key];
    if (by !== undefined) this.resize(this.px + by);
    else if (event.key === 'Home') this.resize(this.max);
    else if (event.key === 'End') this.resize(this.min);
    else return;
    event.preventDefault();
  };

  readonly grab = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const { currentTarget: bar, pointerId } = event;
    const from = this.px;
    const placeOf = ({ clientX, clientY }: PointerEvent) => (this.side === 'right' ? clientX : clientY);
    const start = placeOf(event);
    this.isDragged = false;
    bar.setPointerCapture(pointerId);
    bar.onpointermove = (moved) => {
      const by = start - placeOf(moved);
      this.isDragged ||= Math.abs(by) > 3;
      if (this.isDragged) this.resize(from + by);
    };
    bar.onpointerup = () => {
      bar.onpointermove = null;
    };
  };
}
