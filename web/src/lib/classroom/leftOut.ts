/** What no rule and no counter shows; printed with every debrief. Sources: docs/history.md. */
export const LEFT_OUT: readonly string[] = [
  "Germany planned this war as one of conquest and annihilation. Orders given beforehand suspended the law of war, and" +
    " staffs planned for the starvation of millions.",
  "The towns on the map had inhabitants. In all about 27 million Soviet citizens died in the war, more than half of" +
    " them civilians.",
  "A surrounded unit that leaves the map stands for people who were killed or captured. About 3.3 million of some 5.7" +
    " million Soviet prisoners died in German hands. Of the Germans captured at Stalingrad few came home.",
  "Behind the front SS and police units, with the help of the army and local auxiliaries, shot whole Jewish" +
    " communities: 33,771 people at Babi Yar near Kiev on 29 and 30 September 1941 alone. The Holocaust went on behind" +
    " every hex that the Axis held.",
  "Leningrad was not stormed but starved: in a siege of 872 days 800,000 civilians or more died, most of them of" +
    " hunger and cold in the first winter.",
  "A game in which both sides can win says nothing of what they fought for.",
];
