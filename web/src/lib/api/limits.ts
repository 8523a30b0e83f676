/** How much fields hold, by the server's OpenAPI document: written by `python -m tools.client types`. */
export const LIMITS = {
  AccountBody: {
    name: 120,
    password: 1000,
  },
  ActionBody: {
    seat: 40,
    key: 64,
    action: 4000,
    request_id: 80,
  },
  AgreeBody: {
    key: 64,
  },
  BlockBody: {
    match: 19,
    of: 40,
    seat: 40,
    key: 64,
  },
  CalendarBody: {
    seat: 40,
    key: 64,
    calendar: 64,
  },
  CardAnswerBody: {
    seat: 40,
    key: 64,
    text: 800,
  },
  CardBody: {
    code: 40,
    key: 64,
    text: 800,
  },
  ClaimBody: {
    token: 64,
    request_id: 80,
    name: 120,
  },
  ClassDoorBody: {
    code: 40,
    key: 64,
  },
  ClassMatchBody: {
    code: 40,
    key: 64,
    game: 40,
  },
  ComputerBody: {
    code: 40,
    key: 64,
    match: 19,
  },
  ControllersBody: {
    seat: 40,
    key: 64,
  },
  CopyBody: {
    key: 64,
  },
  EndBody: {
    seat: 40,
    key: 64,
  },
  HintBody: {
    seat: 40,
    key: 64,
    units: 200,
  },
  HolidayBody: {
    seat: 40,
    key: 64,
  },
  InviteBody: {
    of: 40,
    key: 64,
  },
  JoinBody: {
    text: 60000,
    name: 120,
  },
  JoinClassBody: {
    code: 40,
    name: 120,
    word: 40,
    request_id: 80,
  },
  LettersBody: {
    text: 60000,
  },
  MapNotesBody: {
    seat: 40,
    key: 64,
    marks: 60,
    version: 64,
  },
  MarkBody: {
    at: 12,
    to: 12,
    text: 80,
  },
  NameBody: {
    name: 120,
  },
  NewLetters: {
    game: 40,
    scenario: 40,
    title: 120,
    name: 120,
  },
  NewMatch: {
    game: 40,
    title: 120,
    guests: 8,
  },
  NewPasskeyBody: {
    ticket: 2000,
    id: 1364,
    client: 4000,
    made: 20000,
  },
  NewPasswordBody: {
    password: 1000,
    new: 1000,
  },
  NotesBody: {
    seat: 40,
    key: 64,
    text: 10000,
    version: 64,
  },
  OfSeatBody: {
    of: 40,
    key: 64,
  },
  OneMatchBody: {
    code: 40,
    key: 64,
    match: 19,
  },
  OpenClassBody: {
    title: 120,
  },
  OpenSeatBody: {
    match: 19,
    seat: 40,
  },
  PasskeyBody: {
    ticket: 2000,
    id: 1364,
    client: 4000,
    told: 4000,
    signature: 8000,
  },
  PauseBody: {
    code: 40,
    key: 64,
  },
  ProfileBody: {
    shown: 120,
  },
  ProofBody: {
    password: 1000,
  },
  PublishBody: {
    of: 40,
    key: 64,
  },
  PupilBody: {
    code: 40,
    key: 64,
    match: 19,
  },
  RematchBody: {
    seat: 40,
    key: 64,
  },
  RemovePasskeyBody: {
    password: 1000,
    id: 1364,
  },
  SayBody: {
    seat: 40,
    key: 64,
    text: 400,
    request_id: 80,
  },
  SeatBody: {
    seat: 40,
    key: 64,
  },
  SessionBody: {
    session: 16,
  },
  SignInBody: {
    name: 120,
    password: 1000,
    new: 1000,
  },
  StandingBody: {
    seat: 40,
    key: 64,
  },
  StopBody: {
    token: 64,
  },
  TakeBody: {
    match: 19,
    seat: 40,
    request_id: 80,
    name: 120,
  },
  TeacherBody: {
    code: 40,
    key: 64,
  },
  TellBody: {
    seat: 40,
    key: 64,
    address: 500,
    proof: 64,
  },
  TokenBody: {
    token: 64,
  },
  UnblockBody: {
    id: 24,
  },
  UndoBody: {
    seat: 40,
    key: 64,
  },
  WriteBody: {
    note: 2000,
  },
} as const;
