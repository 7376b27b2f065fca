//! `overtrick replay`.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::changes::Changes;
use super::host::{read_config, register};
use super::isolation::{SandboxArgs, say_shortfall};
use super::output_format::OutputFormat;
use super::{Ended, arguments, help, print, programs};
use crate::games::Variant;
use crate::ids::{LineUpId, SeatingId};
use crate::report::{
    self, OutputFolder, PageDeals, PageSection, html_page, quoted, read_records, record_json, record_text,
    recorded_variant,
};
use crate::run::{Extent, Kin, Snapshot};
use crate::strategies::Bot;
use crate::toml_source::InputError;
use crate::tournament::{self, DealRecord, Overrides, Tournament, Unit, isolation_of};

/// Show deals of a tournament or of a file, move by move.
///
/// The deals of a tournament are played again. Those of a file of records are read.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("A deal of a tournament", "replay configs/quick.toml --variant dumbo --deal 7"),
    ("A page with the plays that gave away tricks",
     "replay configs/quick.toml --variant euchre-32 --deal 7 --analyse --html deal.html"),
    ("The deals that `play --record` wrote", "replay --record deal.jsonl"),
]))]
pub struct Args {
    /// The tournament's config file, or the config.toml among its results.
    #[arg(required_unless_present = "record")]
    config: Option<PathBuf>,
    /// Show the deals of this file of records, or of standard input with `-`.
    ///
    /// It has a line of JSON for each deal. `play --record` and `replay --format json` write such lines.
    #[arg(long, help_heading = help::PLAYED, value_name = "FILE")]
    #[arg(conflicts_with_all = ["config", "variant", "deal", "lineup", "count", "set"])]
    record: Option<PathBuf>,
    /// Play this variant, which you may leave out if there is only one.
    #[arg(long, help_heading = help::PLAYED)]
    variant: Option<String>,
    /// Play the deal of this number, or the match in a tournament of matches.
    #[arg(long, help_heading = help::PLAYED, value_name = "NUMBER", required_unless_present = "record")]
    #[arg(value_parser = clap::value_parser!(u64).range(..1 << 40))]
    deal: Option<u64>,
    /// Seat these bots, in order and separated by commas.
    ///
    /// The default is the first line-up in its first seating.
    #[arg(long, help_heading = help::PLAYED, value_name = "BOTS", value_delimiter = ',')]
    lineup: Vec<String>,
    /// Print in this format: a text, or a line of JSON for each deal.
    #[arg(long, help_heading = help::OUTPUT, value_parser = OutputFormat::text_or_json(), default_value = "text")]
    format: OutputFormat,
    /// Play this number of deals, from the deal of --deal on.
    ///
    /// Of a match, it is the number of its deals that are shown, and the default is all of them.
    #[arg(long, help_heading = help::PLAYED, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    count: Option<u64>,
    /// Write a page of HTML to this file, in place of a text.
    ///
    /// It shows the deals step by step, with all cards or those that one seat sees. With --analyse it marks
    /// the plays that gave away tricks.
    #[arg(long, help_heading = help::OUTPUT, value_name = "FILE", conflicts_with = "format")]
    html: Option<PathBuf>,
    /// Replace the file of --html if it exists.
    #[arg(long, help_heading = help::OUTPUT, requires = "html")]
    force: bool,
    /// Mark the plays that gave away tricks, by double-dummy analysis.
    ///
    /// All cards are known to the analysis, and it assumes the best play from then on. A mark of -2 is two
    /// tricks fewer for the player's side. It is for plays between two sides.
    #[arg(long, help_heading = help::OUTPUT, alias = "par")]
    analyse: bool,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,
}

pub fn replay(args: &Args) -> Result<Ended, InputError> {
    if let Some(file) = &args.html {
        return write_page(args, file);
    }
    let show = |record: &DealRecord| match args.format {
        OutputFormat::Text | OutputFormat::Csv => {
            print(&record_text(record));
            if args.analyse && !record.is_judged() {
                print("  analysis: there was no play between two sides to judge\n");
            }
            print("\n");
        }
        OutputFormat::Json => print(&format!("{}\n", record_json(record))),
    };
    if let Some(file) = &args.record {
        read_records(file, args.analyse)?.iter().for_each(show);
        return Ok(Ended::Done);
    }
    let asked = Asked::read(args)?;
    if let Some(note) = &asked.note {
        tell!("note: {note}");
    }
    asked.play(args.analyse, &mut |record| show(&record));
    Ok(Ended::Done)
}

/// The deals to play again.
struct Asked {
    tournament: Tournament,
    variant: usize,
    bots: Vec<Bot>,
    numbers: Range<u64>,
    /// The maximum number of deals to show.
    most: u64,
    /// A note if the tournament plays other numbers.
    note: Option<String>,
}

impl Asked {
    fn read(args: &Args) -> Result<Asked, InputError> {
        let (Some(config), Some(deal)) = (&args.config, args.deal) else { unreachable!("both are required") };
        let overrides = Overrides { changes: args.changes.set.clone(), ..Overrides::default() };
        let tournament = Tournament::resolve_with(&read_config(config)?, overrides, &register())?;
        let variant = find_variant(&tournament, args.variant.as_deref())?;
        let mut bots = line_up(&tournament, variant, &args.lineup)?;
        programs::settle(&mut bots, true, |_, problem| InputError::file(config, problem))?.require_unchanged()?;
        let (end, most) = match tournament.unit {
            Unit::Match => (deal + 1, args.count.unwrap_or(u64::MAX)),
            Unit::Deal => (deal.saturating_add(args.count.unwrap_or(1)), u64::MAX),
        };
        let played = played(config, &tournament, variant);
        let note = (end > played).then(|| never_played(tournament.unit, played, deal..end));
        Ok(Asked { variant, bots, numbers: deal..end, most, note, tournament })
    }

    /// Plays the deals and passes each to `show` as soon as it is over.
    fn play(&self, analyse: bool, show: &mut dyn FnMut(DealRecord)) {
        let (mut shown, numbers) = (0, self.numbers.clone());
        tournament::replay_each(&self.tournament, self.variant, numbers, &self.bots, analyse, &mut |record| {
            if shown < self.most {
                show(record);
            }
            shown += 1;
        });
        say_shortfall(isolation_of(&self.bots), false);
    }

    /// Returns the command that makes a page of the deals from the resolved config.
    fn command(&self, args: &Args) -> String {
        let seated: Vec<&str> = self.bots.iter().map(|bot| bot.name.as_str()).collect();
        let [variant, seated] =
            [&self.tournament.variants[self.variant].name, &seated.join(",")].map(|text| quoted(text));
        let count = args.count.map(|count| format!(" --count {count}")).unwrap_or_default();
        let analyse = if args.analyse { " --analyse" } else { "" };
        let deal = self.numbers.start;
        format!(
            "replay config.toml --variant {variant} --deal {deal}{count} --lineup {seated}{analyse} --html deals.html"
        )
    }
}

/// Writes the page of the deals.
fn write_page(args: &Args, file: &Path) -> Result<Ended, InputError> {
    let asked = args.record.is_none().then(|| Asked::read(args)).transpose()?;
    let read = args.record.as_ref().map(|records| read_records(records, args.analyse)).transpose()?;
    let (folder, name) = OutputFolder::claim_file(file, "--html", args.force)?;
    let mut page = PageDeals {
        version: env!("CARGO_PKG_VERSION"),
        variants: by_variant(read.unwrap_or_default()),
        analyse: args.analyse,
        again: None,
        notes: Vec::new(),
    };
    if let Some(asked) = &asked {
        let mut records = Vec::new();
        asked.play(args.analyse, &mut |record| records.push(record));
        page.variants = vec![(asked.tournament.variants[asked.variant].clone(), records)];
        page.again = Some((&asked.tournament, asked.command(args)));
        page.notes.extend(asked.note.clone());
    }
    folder.write(&[(&name, html_page(&[PageSection::Deals(page)]))])?;
    print(&format!("the page is {}\n", file.display()));
    Ok(Ended::Done)
}

/// Groups records by variant, in order of first appearance.
fn by_variant(records: Vec<DealRecord>) -> Vec<(Variant, Vec<DealRecord>)> {
    let mut groups: Vec<(Variant, Vec<DealRecord>)> = Vec::new();
    for record in records {
        let is_same = |(_, known): &&mut (Variant, Vec<DealRecord>)| {
            known[0].variant == record.variant && known[0].rules == record.rules
        };
        match groups.iter_mut().find(is_same) {
            Some((_, known)) => known.push(record),
            None => groups.push((recorded_variant(&record), vec![record])),
        }
    }
    groups
}

/// Returns the number of deals or matches of a variant in the tournament.
///
/// For the config among results it is the number played, since the run may have stopped early.
fn played(config: &Path, tournament: &Tournament, variant: usize) -> u64 {
    let snapshot = Snapshot::read_with(&config.with_file_name(report::TALLY), &register()).ok().flatten();
    let own =
        |snapshot: &Snapshot| snapshot.finished && matches!(snapshot.kin(tournament, &Extent::Whole), Ok(Kin::Same));
    let next = snapshot.filter(own).map(|snapshot| snapshot.runs[variant].next);
    // A variant in which all bots were disqualified has no numbers.
    next.filter(|&next| next > 0).unwrap_or(tournament.numbers)
}

/// Returns the note for `numbers` that are not all among the first `played`.
fn never_played(unit: Unit, played: u64, numbers: Range<u64>) -> String {
    let (unit, units) = match unit {
        Unit::Deal => ("deal", "deals"),
        Unit::Match => ("match", "matches"),
    };
    let (first, last) = (numbers.start.max(played), numbers.end - 1);
    let which = if first == last { format!("{unit} {first} is") } else { format!("{units} {first} to {last} are") };
    format!(
        "{which} none of this tournament's, which plays {units} 0 to {}. It is shown as it would have played",
        played - 1
    )
}

fn find_variant(tournament: &Tournament, name: Option<&str>) -> Result<usize, InputError> {
    let names: Vec<&str> = tournament.variants.iter().map(|variant| variant.name.as_str()).collect();
    match name {
        None if names.len() == 1 => Ok(0),
        None => Err(InputError::plain(format!("name a variant with --variant: {}", names.join(", ")))),
        Some(name) => arguments::index_of(name, names.iter().copied(), "variant of this tournament"),
    }
}

fn line_up(tournament: &Tournament, variant: usize, names: &[String]) -> Result<Vec<Bot>, InputError> {
    let schedule = &tournament.schedules[variant];
    let bots = &tournament.bots;
    if names.is_empty() {
        let seated = schedule.bots(LineUpId::default(), SeatingId::default());
        return Ok(seated.of(schedule.seats).iter().map(|&bot| tournament.bot(bot).clone()).collect());
    }
    if names.len() != schedule.seats {
        let (name, seats) = (&tournament.variants[variant].name, schedule.seats);
        return Err(InputError::plain(format!("{name} seats {seats}, and --lineup names {}", names.len())));
    }
    let find = |name: &String| {
        let known = bots.iter().map(|bot| bot.name.as_str());
        arguments::index_of(name, known, "bot of this tournament").map(|index| bots[index].clone())
    };
    names.iter().map(find).collect()
}
