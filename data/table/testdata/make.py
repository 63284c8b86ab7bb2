#!/usr/bin/python3
"""Rewrites the files beside it: small tables of molecules in the formats of Excel,
LibreOffice, RDKit and suppliers. Needs Debian's python3-rdkit, python3-openpyxl
and libreoffice-calc-nogui. Excel's text files are written here byte by byte."""
import csv, datetime, gzip, io, os, pathlib, shutil, subprocess, tempfile, zipfile

import openpyxl
from rdkit import Chem
from rdkit.Chem import AllChem

here = pathlib.Path(__file__).parent
rows = [  # name, SMILES, IC50 in µM, hit, remark
    ("Paracetamol", "CC(=O)Nc1ccc(O)cc1", 12.5, "no", "Fläschchen 3"),
    ("Ibuprofen", "CC(C)Cc1ccc(cc1)C(C)C(=O)O", 0.8, "yes", ""),
    ("2,4-Dichlorphenol", "Oc1ccc(Cl)cc1Cl", 100, "no", "10 °C"),
    ("L-Alanin", "C[C@H](N)C(=O)O", 0.25, "yes", 'sagt "ja"'),
    ("Natriumacetat", "CC(=O)[O-].[Na+]", 6.75, "no", "µM; frisch"),
]
header = ["Name", "SMILES", "IC50 (µM)", "hit", "remark"]


def number(v, decimal):
    return f"{v:g}".replace(".", decimal)


def text(delimiter, decimal=".", quoting=csv.QUOTE_MINIMAL, end="\r\n", top=header):
    out = io.StringIO()
    w = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end)
    w.writerow(top)
    for name, smiles, v, hit, remark in rows:
        w.writerow([name, smiles, number(v, decimal), hit, remark])
    return out.getvalue()


def put(name, content):
    (here / name).write_bytes(content if isinstance(content, bytes) else content.encode())


# Excel: CSV in Germany and in the USA, with a byte order mark, Unicode text, on a Mac, and with "sep=".
put("excel_de.csv", text(";", ",").encode("cp1252"))
put("excel_us.csv", text(",").encode("cp1252"))
put("excel_utf8.csv", "\ufeff" + text(",", "."))
put("excel_unicode.txt", b"\xff\xfe" + text("\t", ",").encode("utf-16-le"))
put("excel_mac.csv", text(";", ",", end="\r").encode("cp1252"))
put("excel_sep.csv", "sep=;\r\n" + text(";", ","))
put("empty_columns.csv", "".join(line + ";;\r\n" for line in text(";", ",").split("\r\n")[:-1]) + ";;;;;;\r\n" * 3)

# Excel's workbook: a title above the table, a date, truth values, a second sheet before it.
book = openpyxl.Workbook()
book.active.title = "Info"
book.active["A1"] = "Ergebnisse der Woche"
sheet = book.create_sheet("Messung")
sheet["A1"] = "Ergebnisse, 3. Mai"
sheet.append([])
sheet.append(header[:4] + ["share", "measured"])
for name, smiles, v, hit, _ in rows:
    sheet.append([name, smiles, v, hit == "yes", 0.1 + 0.2, datetime.date(2024, 5, 3)])
book.save(here / "excel.xlsx")
cut = (here / "excel.xlsx").read_bytes()
put("cut.xlsx", cut[: len(cut) * 2 // 3])

# LibreOffice: a workbook, old Excel, its own format, and a PDF, all from one CSV.
with tempfile.TemporaryDirectory() as d:
    pathlib.Path(d, "libreoffice.csv").write_text(text(","))
    for form in ["xlsx", "xls", "ods", "pdf"]:
        subprocess.run(["soffice", "--headless", f"-env:UserInstallation=file://{d}/home", "--infilter=CSV:44,34,76,1", "--convert-to", form, "--outdir", d, d + "/libreoffice.csv"],
                       check=True, stdout=subprocess.DEVNULL)
        shutil.copy(f"{d}/libreoffice.{form}", here)
put("libreoffice.pdf", (here / "libreoffice.pdf").read_bytes()[:600])
put("libreoffice.xls", (here / "libreoffice.xls").read_bytes()[:600])

# RDKit: SD files of both versions with names and data, one with a molecule that cannot
# be read; SMILES files with and without a title line.
def sd(v3000):
    out = io.StringIO()
    w = Chem.SDWriter(out)
    w.SetForceV3000(v3000)
    for i, (name, smiles, v, hit, remark) in enumerate(rows):
        m = Chem.MolFromSmiles(smiles)
        AllChem.Compute2DCoords(m)
        m.SetProp("_Name", name)
        m.SetProp("IC50 (µM)", number(v, "."))
        m.SetProp("hit", hit)
        if i > 1:
            m.SetProp("remark", remark + ("\nzweite Zeile" if i == 3 else ""))
        w.write(m)
    w.close()
    return out.getvalue()

put("rdkit.sdf", sd(False))
put("rdkit_v3000.sdf", sd(True))
put("rdkit.sdf.gz", gzip.compress(sd(False).encode(), mtime=0))
records = sd(False).split("$$$$\n")
put("one_bad.sdf", "$$$$\n".join([records[0], records[1].replace(" C  ", " Qq "), records[2], ""]).replace("\n", "\r\n").encode("cp1252"))
put("one.mol", records[0].split("M  END\n")[0] + "M  END\n")
put("rdkit.smi", "SMILES Name \n" + "".join(f"{r[1]} {r[0]}\n" for r in rows))

# Suppliers and databases: without a header, with tabs and literal quotation marks, ChEMBL's
# and BindingDB's tables, DOS line ends.
put("plain.smi", "".join(f"{r[1]}\t{r[0]}\n" for r in rows))
put("only.txt", "".join(r[1] + "\r\n" for r in rows))
put("spaces.smi", "".join(f"{r[1]} {r[0]} lot 5\n" for r in rows))
put("supplier.tsv", "Catalog ID\tsmiles\tMW\n" + "".join(f'Z{i}\t{r[1]}\t5"-{r[0]}\n' for i, r in enumerate(rows)))
chembl = io.StringIO()
w = csv.writer(chembl, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\n")
w.writerow(["Molecule ChEMBL ID", "Molecule Name", "Smiles", "Standard Type", "Standard Relation", "Standard Value", "Standard Units", "pChEMBL Value"])
for i, (name, smiles, v, _, _) in enumerate(rows):
    w.writerow([f"CHEMBL{i}", name, smiles, "IC50", "'>'" if v == 100 else "'='", number(v * 1000, "."), "nM", ""])
put("chembl.csv", chembl.getvalue())
put("bindingdb.tsv", "BindingDB Reactant_set_id\tLigand SMILES\tBindingDB Ligand Name\tKi (nM)\tIC50 (nM)\n"
    + "".join(f"{i}\t{r[1]}\t{r[0]}\t\t{'>' if r[2] == 100 else ' '}{r[2] * 1000:g}\n" for i, r in enumerate(rows)))
put("pubchem.csv", "PUBCHEM_CID,PUBCHEM_EXT_DATASOURCE_SMILES,PUBCHEM_ACTIVITY_OUTCOME\n"
    + "".join(f"{i},{r[1]},{'Active' if r[3] == 'yes' else 'Inactive'}\n" for i, r in enumerate(rows)))
put("pandas.csv.gz", gzip.compress(("," + text(",", end="\n")).replace("\n", "\n0,").encode()[:-2], mtime=0))
put("utf16be.csv", text(",").encode("utf-16-be"))

# Files that are refused.
put("empty.csv", "")
put("no_smiles.csv", "name;InChI\nmethane;InChI=1S/CH4/h1H4\n")
put("page.csv", "<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n")
put("cut.csv.gz", gzip.compress(text(",").encode(), mtime=0)[:-20])
put("short_row.csv", "smiles;hit\nCCO;1\nCCN\n")
put("binary.csv", bytes(range(256)) * 4)
