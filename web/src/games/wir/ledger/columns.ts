/** A column of a table that can be sorted. */
export interface Column<Row> {
  id: string;
  title: string;
  /** A figure or words; nothing where it is not known, or there is none. */
  value: (row: Row) => number | string | undefined;
  /** Figures are sorted from the smallest up. */
  ascending?: boolean;
  /** The table is sorted by it at first; otherwise by the first column. */
  first?: boolean;
  /** What stands for a figure that is not known. */
  missing?: string;
  /** What is said next to the name of the row. */
  note?: (row: Row) => string;
  /** The side in whose colour it is written. */
  tone?: (row: Row) => string;
}
